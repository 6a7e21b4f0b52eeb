import HTTP1
import Testing

struct TargetTests {
  private static func get(_ clause: String, _ target: String, _ outcome: String) -> Row {
    Row(clause, "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n", outcome)
  }

  static let originForm: [Row] = [
    get("3.2.1", "/", "GET /"),
    get("3.2.1", "/a/b?c=d&e", "GET /a/b?c=d&e"),
    get("3.2.1", "/?", "GET /?"),
    get("3.2.1", "/a?b?c", "GET /a?b?c"),
    get("3986 3.3", "//a//b", "GET //a//b"),
    get("3986 3.3", "/a-._~!$&'()*+,;=:@b", "GET /a-._~!$&'()*+,;=:@b"),
    // Dot segments and escapes mean what the router says.
    get("3986 5.2.4", "/a/../b/./c", "GET /a/../b/./c"),
    get("3986 2.1", "/%2e%2E/%2f", "GET /%2e%2E/%2f"),
    get("3986 2.1", "/%", "GET /%"),
    get("3986 2.1", "/%zz", "GET /%zz"),
    get("3.2", "/a#b", "400 target"),
    get("3.2", "/a\"b", "400 target"),
    get("3.2", "/a<b>", "400 target"),
    get("3.2", "/a\\b", "400 target"),
    get("3.2", "/a^b", "400 target"),
    get("3.2", "/a`b", "400 target"),
    get("3.2", "/{a}", "400 target"),
    get("3.2", "/a|b", "400 target"),
    get("3.2", "/?a[]=1", "400 target"),
    get("3.2", "/é", "400 target"),
    get("3.2", "/\0", "400 target"),
    get("3.2", "/\u{1}", "400 target"),
    get("3.2", "/\u{7F}", "400 target"),
    get("3.2", "a", "400 target"),
    get("3.2", "a/b", "400 target"),
    get("3.2", "?a", "400 target"),
  ]

  static let otherForms: [Row] = [
    get("3.2.2", "http://h/a?b", "GET /a?b"),
    get("3.2.2", "HTTP://h:80/a", "GET /a"),
    get("3.2.2", "https://h/a", "GET /a"),
    get("3.2.2", "http://[::1]:8080/a", "GET /a"),
    get("3.2.2", "ftp://h/a", "400 target"),
    get("3.2.2", "http:/h/a", "400 target"),
    get("3.2.2", "http:///a", "400 host"),
    get("9110 4.2.4", "http://user@h/a", "400 host"),
    get("3.2.2", "http://h:x/a", "400 host"),
    get("3.2.2", "http://h/a#b", "400 target"),
    get("3.2.2", "http://h/é", "400 target"),
    get("3.2.3", "h:80", "400 target"),
    get("3.2.4", "*", "400 target"),
    get("3.2.4", "**", "400 target"),
    Row("3.2.4", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS *"),
    Row("3.2.4", "OPTIONS *a HTTP/1.1\r\nHost: h\r\n\r\n", "400 target"),
    Row("3.2.4", "OPTIONS *?a HTTP/1.1\r\nHost: h\r\n\r\n", "400 target"),
    Row("3.2.4", "OPTIONS /* HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS /*"),
    Row("3.2.4", "OPTIONS http://h HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS *"),
    Row("3.2.4", "OPTIONS http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS /"),
    get("3.2.2", "http://h", "GET /"),
    get("3.2.2", "http://h?a", "GET /?a"),
  ]

  @Test(arguments: originForm + otherForms)
  func `a target is read as its clause says`(_ row: Row) {
    #expect(readEveryWay(row.bytes) == row.outcome)
  }

  @Test func `a target that is not ASCII is refused byte by byte too`() {
    for byte in UInt8(0x80)...0xFF {
      let bytes = Array("GET /".utf8) + [byte] + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
      #expect(read([bytes[...]]) == ["400 target"])
    }
  }

  @Test func `the authority of an absolute target counts, not the Host field`() throws {
    let absolute = try #require(request("GET http://a:1/x HTTP/1.1\r\nHost: b\r\n\r\n"))
    #expect(text(absolute.authority) == "a:1")
    let other = try #require(request("GET /x HTTP/1.1\r\nHost: b\r\n\r\n"))
    #expect(text(other.authority) == "b")
  }

  private func request(_ text: String) -> HTTPRequest? {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    var position = 0
    let bytes = Array(text.utf8)
    guard case .request(let request) = reader.next(bytes.span, at: &position, scratch: &scratch)
    else { return nil }
    return request
  }
}
