import HTTP1
import Testing

struct RequestLineTests {
  static let methods: [Row] = [
    Row("9110 9.3", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET /"),
    Row("9110 9.3", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", "HEAD /"),
    Row("9110 9.3", "POST / HTTP/1.1\r\nHost: h\r\n\r\n", "POST /"),
    Row("9110 9.3", "PUT / HTTP/1.1\r\nHost: h\r\n\r\n", "PUT /"),
    Row("9110 9.3", "DELETE / HTTP/1.1\r\nHost: h\r\n\r\n", "DELETE /"),
    Row("9110 9.3", "OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS /"),
    Row("5789 2", "PATCH / HTTP/1.1\r\nHost: h\r\n\r\n", "PATCH /"),
    Row("9110 9.1", "get / HTTP/1.1\r\nHost: h\r\n\r\n", "501"),
    Row("9110 9.1", "Get / HTTP/1.1\r\nHost: h\r\n\r\n", "501"),
    Row("9110 9.1", "BREW / HTTP/1.1\r\nHost: h\r\n\r\n", "501"),
    Row("9110 9.1", "GETX / HTTP/1.1\r\nHost: h\r\n\r\n", "501"),
    Row("9110 9.1", "X-!#$%&'*+.^_`|~9 / HTTP/1.1\r\nHost: h\r\n\r\n", "501"),
    Row("9110 9.3.8", "TRACE / HTTP/1.1\r\nHost: h\r\n\r\n", "501"),
    Row("9110 9.3.6", "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n", "501"),
    Row("3.1", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3.1", "G@T / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3.1", "\"GET\" / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3.1", "GÉT / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3.1", "GET\0 / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3.1", " GET / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
  ]

  static let separators: [Row] = [
    Row("3", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET /  HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET /\tHTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET / HTTP/1.1\t\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3.2", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET /\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET \r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("3", "GET HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.2", "GET / HTTP/1.1\nHost: h\r\n\r\n", "400 bareLineFeed"),
    Row("2.2", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "400 bareLineFeed"),
    Row("2.2", "GET /\rx HTTP/1.1\r\nHost: h\r\n\r\n", "400 target"),
    Row("2.2", "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.2", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET /"),
    Row("2.2", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row(
      "2.2", "GET / HTTP/1.1\r\nHost: h\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n", "GET /",
      "GET /2"),
    Row("2.2", "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
  ]

  static let versions: [Row] = [
    Row("2.3", "GET / HTTP/1.0\r\n\r\n", "GET / close"),
    Row("9110 2.5", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "GET /"),
    Row("9110 2.5", "GET / HTTP/1.9\r\nHost: h\r\n\r\n", "GET /"),
    Row("9110 15.6.6", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", "505"),
    Row("9110 15.6.6", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", "505"),
    Row("9110 15.6.6", "GET / HTTP/3.0\r\nHost: h\r\n\r\n", "505"),
    Row("9113 3.4", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"),
    Row("2.3", "GET / http/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/1.\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/11.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/1.10\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/01.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/1,1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP/a.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTP 1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / HTTPS/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / FTP/1.1\r\nHost: h\r\n\r\n", "400 requestLine"),
    Row("2.3", "GET / \r\nHost: h\r\n\r\n", "400 requestLine"),
  ]

  @Test(arguments: methods + separators + versions)
  func `a request line is read as its clause says`(_ row: Row) {
    #expect(readEveryWay(row.bytes) == row.outcome)
  }

  @Test func `what cannot be a request is refused before its first line ends`() {
    #expect(read([[0x16, 0x03, 0x01][...]]) == ["400 requestLine"])
    #expect(read([[0x00][...]]) == ["400 requestLine"])
  }

  @Test func `a target at its limit is served, one byte more gets 414`() {
    var limits = RequestLimits()
    limits.targetBytesMax = 20
    let fits = "GET /\(String(repeating: "a", count: 19)) HTTP/1.1\r\nHost: h\r\n\r\n"
    #expect(readEveryWay(Array(fits.utf8), limits: limits).first?.hasPrefix("GET /aaa") == true)
    let over = "GET /\(String(repeating: "a", count: 20)) HTTP/1.1\r\nHost: h\r\n\r\n"
    #expect(readEveryWay(Array(over.utf8), limits: limits) == ["414"])
  }

  @Test func `a target without end gets 414 while it comes`() {
    #expect(read([Array(("GET /" + String(repeating: "a", count: 9000)).utf8)[...]]) == ["414"])
    #expect(read([[UInt8](repeating: UInt8(ascii: "A"), count: 9000)[...]]) == ["414"])
  }
}
