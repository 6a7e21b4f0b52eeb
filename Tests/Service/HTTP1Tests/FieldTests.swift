import HTTP1
import Testing

struct FieldTests {
  private static func field(_ clause: String, _ line: String, _ outcome: String = "GET /") -> Row {
    Row(clause, "GET / HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n", outcome)
  }

  private static func host(_ clause: String, _ value: String, _ outcome: String = "GET /") -> Row {
    Row(clause, "GET / HTTP/1.1\r\nHost:\(value)\r\n\r\n", outcome)
  }

  static let syntax: [Row] = [
    field("5", "A: b"),
    field("5", "A:b"),
    field("5", "A:"),
    field("5", "A: \t b \t "),
    field("5.1", "!#$%&'*+-.^_`|~09azAZ: x"),
    field("9110 5.5", "A: b\tc d"),
    field("9110 5.5", "A: é\u{FF}"),
    field("5.1", "A : b", "400 spaceBeforeColon"),
    field("5.1", "A\t: b", "400 spaceBeforeColon"),
    field("5.1", "Content-Length : 5", "400 spaceBeforeColon"),
    field("5.2", " A: b", "400 folding"),
    field("5.2", "A: b\r\n c", "400 folding"),
    field("5.2", "A: b\r\n\tc", "400 folding"),
    field("5.2", "A: b\r\n ", "400 folding"),
    field("5", ": b", "400 fieldName"),
    field("5", "A", "400 fieldName"),
    field("5", "A b: c", "400 spaceBeforeColon"),
    field("5.1", "A(: b", "400 fieldName"),
    field("5.1", "A\0: b", "400 fieldName"),
    field("5.1", "A/: b", "400 fieldName"),
    field("5.1", "\"A\": b", "400 fieldName"),
    field("5.1", "[A]: b", "400 fieldName"),
    field("5.1", "é: b", "400 fieldName"),
    field("9110 5.5", "A: b\0c", "400 fieldValue"),
    field("9110 5.5", "A: b\u{1}c", "400 fieldValue"),
    field("9110 5.5", "A: b\u{1F}c", "400 fieldValue"),
    field("9110 5.5", "A: b\u{7F}c", "400 fieldValue"),
    field("9110 5.5", "A: 0123456789abcdef\u{0}", "400 fieldValue"),
    field("2.2", "A: b\rc", "400 fieldValue"),
    field("2.2", "A: b\r", "400 fieldValue"),
    field("2.2", "A: b\nC: d", "400 bareLineFeed"),
    Row("2.2", "GET / HTTP/1.1\r\nHost: h\n\r\n", "400 bareLineFeed"),
    Row("2.2", "GET / HTTP/1.1\r\nHost: h\r\n\n", "400 bareLineFeed"),
    Row("2.2", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\rX\r\n", "400 fieldName"),
  ]

  static let hosts: [Row] = [
    host("3.2", " h"),
    host("3.2", "example.com:8080"),
    host("3.2", "127.0.0.1:1"),
    host("3.2", "[::1]"),
    host("3.2", "[::ffff:1.2.3.4]:80"),
    host("3986 3.2.3", "h:"),
    host("3986 3.2.2", "a_b-c.d~e%20"),
    host("3.2", "", "400 host"),
    host("3.2", " \t", "400 host"),
    host("3.2", ":80", "400 host"),
    host("3.2", "h:65536", "400 host"),
    host("3.2", "h:80x", "400 host"),
    host("3.2", "h:-1", "400 host"),
    host("3.2", "h:000080", "400 host"),
    host("3.2", "h:80:80", "400 host"),
    host("3.2", "a b", "400 host"),
    host("3.2", "a,b", "400 host"),
    host("3.2", "a/b", "400 host"),
    host("3.2", "a?b", "400 host"),
    host("3.2", "u@h", "400 host"),
    host("3.2", "http://h", "400 host"),
    host("3.2", "[::1", "400 host"),
    host("3.2", "[]", "400 host"),
    host("3.2", "[g]", "400 host"),
    host("3.2", "[::1]x", "400 host"),
    host("3.2", "::1", "400 host"),
    host("3.2", "hé", "400 host"),
    Row("3.2", "GET / HTTP/1.1\r\n\r\n", "400 hostMissing"),
    Row("3.2", "GET / HTTP/1.1\r\nA: b\r\n\r\n", "400 hostMissing"),
    Row("3.2", "GET http://h/ HTTP/1.1\r\n\r\n", "400 hostMissing"),
    Row("3.2", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", "400 hostRepeated"),
    Row("3.2", "GET / HTTP/1.1\r\nhost: h\r\nHOST: i\r\n\r\n", "400 hostRepeated"),
    Row("3.2", "GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n", "400 hostRepeated"),
    Row("3.2", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", "400 host"),
    Row("3.2", "GET / HTTP/1.0\r\n\r\n", "GET / close"),
  ]

  static let connections: [Row] = [
    field("9.3", "Connection: close", "GET / close"),
    field("9.3", "CONNECTION: CLOSE", "GET / close"),
    field("9.3", "Connection: a, Close ,b", "GET / close"),
    field("9.3", "Connection: keep-alive\r\nConnection: close", "GET / close"),
    field("9.3", "Connection: keep-alive, close", "GET / close"),
    field("9.3", "Connection: keep-alive", "GET /"),
    field("9.3", "Connection: closed", "GET /"),
    field("9.3", "Connection: ,,", "GET /"),
    field("9110 7.8", "Connection: upgrade\r\nUpgrade: h2c", "GET /"),
    Row("9.3", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET /"),
    Row("9.3", "GET / HTTP/1.0\r\nConnection: x,keep-alive\r\n\r\n", "GET /"),
    Row("9.3", "GET / HTTP/1.0\r\nConnection: keep-alive,close\r\n\r\n", "GET / close"),
    Row("9.3", "GET / HTTP/1.0\r\nKeep-Alive: 5\r\n\r\n", "GET / close"),
  ]

  @Test(arguments: syntax + hosts + connections)
  func `fields are read as their clause says`(_ row: Row) {
    #expect(readEveryWay(row.bytes) == row.outcome)
  }

  @Test func `fields at their limits are served, one byte or line more gets 431`() {
    var limits = RequestLimits()
    limits.headerBytesMax = 40
    limits.fieldsMax = 3
    func outcome(_ lines: String) -> [String] {
      readEveryWay(Array("GET / HTTP/1.1\r\n\(lines)\r\n".utf8), limits: limits)
    }
    // The line that ends the fields counts.
    #expect(outcome("Host: h\r\nA: \(String(repeating: "b", count: 24))\r\n") == ["GET /"])
    #expect(outcome("Host: h\r\nA: \(String(repeating: "b", count: 25))\r\n") == ["431"])
    #expect(outcome("Host: h\r\nA: b\r\nC: d\r\n") == ["GET /"])
    #expect(outcome("Host: h\r\nA: b\r\nC: d\r\nE: f\r\n") == ["431"])
  }

  @Test func `fields without end get 431 while they come`() {
    let line = "GET / HTTP/1.1\r\nHost: h\r\nA: "
    #expect(read([Array((line + String(repeating: "b", count: 17_000)).utf8)[...]]) == ["431"])
  }

  @Test func `the default limits are those of the protocol`() {
    let limits = RequestLimits()
    #expect(limits.targetBytesMax == 8192)
    #expect(limits.headerBytesMax == 16_384)
    #expect(limits.fieldsMax == 100)
    #expect(limits.bodyBytesMax == 16_777_216)
  }

  @Test func `values come without the white space around them, names in any case`() throws {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    var position = 0
    let bytes = Array("GET / HTTP/1.1\r\nHOST:h\r\nAb-C: \t x y\t \r\naB-c:2\r\n\r\n".utf8)
    guard case .request(let request) = reader.next(bytes.span, at: &position, scratch: &scratch)
    else {
      Issue.record("no request")
      return
    }
    #expect(request.fields("ab-c").map(text) == ["x y", "2"])
    #expect(text(request.field("host")) == "h")
    #expect(position == bytes.count)
  }
}
