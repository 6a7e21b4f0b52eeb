import HTTP1
import Testing

struct FramingTests {
  private static func put(_ clause: String, _ fields: String, _ body: String, _ outcome: String...)
    -> Row
  {
    Row(
      clause, bytes: Array("PUT / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)".utf8), outcome)
  }

  static let lengths: [Row] = [
    put("6.2", "Content-Length: 3", "abc", "PUT / abc"),
    put("6.2", "Content-Length: 0", "", "PUT /"),
    put("6.2", "Content-Length: 003", "abc", "PUT / abc"),
    put("6.3", "A: b", "GET /2 HTTP/1.1\r\nHost: h\r\n\r\n", "PUT /", "GET /2"),
    put("6.3", "Content-Length: 3", "abcGET /2 HTTP/1.1\r\nHost: h\r\n\r\n", "PUT / abc", "GET /2"),
    put("6.3", "Content-Length: 3", "ab"),
    put("9110 8.6", "Content-Length:", "", "400 contentLength"),
    put("9110 8.6", "Content-Length: -1", "", "400 contentLength"),
    put("9110 8.6", "Content-Length: +3", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: 0x3", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: 3.0", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: 3 3", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: 3a", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: 1e1", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: \"3\"", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: ٣", "abc", "400 contentLength"),
    put("9110 8.6", "Content-Length: ,3", "abc", "400 contentLength"),
    put("6.3", "Content-Length: 3, 3", "abc", "400 contentLengthRepeated"),
    put("6.3", "Content-Length: 3,4", "abc", "400 contentLengthRepeated"),
    put("6.3", "Content-Length: 3\r\nContent-Length: 3", "abc", "400 contentLengthRepeated"),
    put("6.3", "Content-Length: 3\r\ncontent-length: 4", "abc", "400 contentLengthRepeated"),
    put("9110 8.6", "Content-Length: 16777217", "", "413"),
    put("9110 8.6", "Content-Length: 9223372036854775807", "", "413"),
    put("9110 8.6", "Content-Length: 9223372036854775808", "", "413"),
    put("9110 8.6", "Content-Length: 18446744073709551619", "abc", "413"),
    put("9110 8.6", "Content-Length: 99999999999999999999999999999999", "", "413"),
  ]

  static let codings: [Row] = [
    put("7.1", "Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n", "PUT / abc"),
    put("7", "transfer-encoding: CHUNKED", "3\r\nabc\r\n0\r\n\r\n", "PUT / abc"),
    put("6.1", "Content-Length: 3\r\nTransfer-Encoding: chunked", "x", "400 lengthAndCoding"),
    put("6.1", "Transfer-Encoding: chunked\r\nContent-Length: 3", "x", "400 lengthAndCoding"),
    put("6.1", "Transfer-Encoding: chunked\r\nContent-Length: x", "", "400 contentLength"),
    put("6.1", "Transfer-Encoding: gzip, chunked", "", "501"),
    put("6.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "", "501"),
    put("6.1", "Transfer-Encoding: identity, chunked", "", "501"),
    put("6.3", "Transfer-Encoding: gzip", "", "400 transferCoding"),
    put("6.3", "Transfer-Encoding: identity", "", "400 transferCoding"),
    put("6.3", "Transfer-Encoding: xchunked", "", "400 transferCoding"),
    put("6.3", "Transfer-Encoding: chunked, gzip", "", "400 transferCoding"),
    put("7", "Transfer-Encoding: chunked, chunked", "", "400 transferCoding"),
    put("7", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "", "400 transferCoding"),
    put("7", "Transfer-Encoding: chunked;a=b", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding: \"chunked\"", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding:", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding: ,chunked", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding: chunked,", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding: chunked, ", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding: chun ked", "", "400 transferCoding"),
    put("6.1", "Transfer-Encoding: \u{B}chunked", "", "400 fieldValue"),
    put("6.1", "Transfer_Encoding: chunked\r\nContent-Length: 3", "abc", "PUT / abc"),
    Row(
      "6.1", "PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "400 codingInHTTP10"),
    Row(
      "6.1", "PUT / HTTP/1.0\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
      "400 codingInHTTP10"),
    Row("6.2", "PUT / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", "PUT / abc close"),
  ]

  private static func chunked(_ clause: String, _ body: String, _ outcome: String...) -> Row {
    Row(
      clause,
      bytes: Array(
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8), outcome)
  }

  static let chunks: [Row] = [
    chunked("7.1", "0\r\n\r\n", "PUT /"),
    chunked("7.1", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "PUT / abc"),
    chunked("7.1", "A\r\n0123456789\r\n0\r\n\r\n", "PUT / 0123456789"),
    chunked("7.1", "a\r\n0123456789\r\n0\r\n\r\n", "PUT / 0123456789"),
    chunked("7.1", "03\r\nabc\r\n000\r\n\r\n", "PUT / abc"),
    chunked(
      "7.1", "3\r\nabc\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n", "PUT / abc", "GET /2"),
    chunked("7.1", "3\r\nabc\r\n"),
    chunked("7.1", "3\r\nabc\r\n0\r\n"),
    chunked("7.1", "-1\r\n", "400 chunkSize"),
    chunked("7.1", "+3\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "0x3\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", " 3\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "g\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "3_0\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", ";a\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "3\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "3\rabc\r\n", "400 chunkSize"),
    chunked("7.1", "3\r\rabc\r\n", "400 chunkSize"),
    chunked("7.1", "1000001\r\n", "413"),
    chunked("7.1", "7FFFFFFFFFFFFFFF\r\n", "413"),
    chunked("7.1", "8000000000000000\r\n", "413"),
    chunked("7.1", "FFFFFFFFFFFFFFFF\r\n", "413"),
    chunked("7.1", "10000000000000000\r\n", "400 chunkSize"),
    chunked("7.1", "10000000000000003\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "00000000000000003\r\nabc\r\n", "400 chunkSize"),
    chunked("7.1", "3\r\nabcd\r\n", "400 chunkEnd"),
    chunked("7.1", "3\r\nabc0\r\n\r\n", "400 chunkEnd"),
    chunked("7.1", "3\r\nabc\n0\r\n\r\n", "400 chunkEnd"),
    chunked("7.1", "3\r\nabc\rx", "400 chunkEnd"),
    chunked("7.1", "4\r\nabc\r\n0\r\n\r\n", "400 chunkEnd"),
  ]

  static let extensionsAndTrailers: [Row] = [
    chunked("7.1.1", "3;a\r\nabc\r\n0\r\n\r\n", "PUT / abc"),
    chunked("7.1.1", "3;a=b;c=\"d e\"\r\nabc\r\n0;z\r\n\r\n", "PUT / abc"),
    chunked("7.1.1", "3;a\rb\r\nabc\r\n0\r\n\r\n", "400 chunkSize"),
    chunked("7.1.2", "0\r\nA: b\r\n\r\n", "PUT /"),
    chunked("7.1.2", "0\r\nA:\r\nC: d \r\n\r\n", "PUT /"),
    // Trailers are dropped: none of these frames or routes anything.
    chunked("6.5.1", "0\r\nContent-Length: 9\r\nHost: x\r\n\r\n", "PUT /"),
    chunked("7.1.2", "0\r\nA : b\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\n: b\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\nA\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\n A: b\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\nA: b\r\n c\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\nA: b\nC: d\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\nA: \0\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\nA: b\rc\r\n\r\n", "400 trailer"),
    chunked("7.1.2", "0\r\n\n", "400 trailer"),
    chunked("7.1.2", "0\r\n\rx", "400 trailer"),
  ]

  /// Extensions that the grammar has, with the white space that it calls bad and that must be parsed.
  static let goodExtensions: [Row] = [
    " ", "\t", "  \t ", ";a", ";a;b", " ;a", "; a", " ; a", ";a ", ";a=b", ";a =b", ";a= b",
    " ; a = b ",
    "\t;\ta\t=\tb\t", ";a=b;c", ";a=b ;c", ";a ;b", ";a ; b = c ; d", ";!#$%&'*+-.^_`|~=~",
    ";a=1;a=1",
    ";a=\"\"", ";a=\"b\"", " ; a = \"b\" ", ";a=\"b\";c", ";a=\"b\" ; c = \"d\"", ";a=\"b;c=d e\"",
    ";a=\"\tb\"",
    ";a=\"\\\"\"", ";a=\"\\\\\"", ";a=\"b\\;\"", ";a=\"\u{E9}\"",
  ].map { chunked("7.1.1", "3\($0)\r\nabc\r\n0\($0)\r\n\r\n", "PUT / abc") }

  /// What has no meaning behind a size.
  static let badExtensions: [Row] = [
    ";", " ;", "; ", ";;", ";a;", ";a; ", ";;a", ";=", ";=b", "; =b", ";a=", ";a= ", ";a==b",
    ";a=b=c", ";a=;b", ";a b",
    ";a=b c", ";a \"b\"", ";a=\"", ";a=\"b", ";a=\"b\\", ";a=\"b\\\"", ";a=\"b\"c", ";a=\"b\"\"c\"",
    ";a=b\"c\"", ";\"a\"",
    ";a,b", ";a=b,c", ";(a)", ";\u{E9}", ";a=\u{E9}", ";a\0", ";a=\"\0\"", ";a=\"\\\u{1}\"",
    ";a\u{B}", ";a=\"\u{7F}\"", " a",
    " 3", "\t\u{C};a", ";a\n", ";a=\"b\n\"", " \n",
  ].map { chunked("7.1.1", "3\($0)\r\nabc\r\n0\r\n\r\n", "400 chunkExtension") }

  static let expectations: [Row] = [
    put("9110 10.1.1", "Expect: 100-continue\r\nContent-Length: 1", "a", "PUT / a"),
    put("9110 10.1.1", "Expect: 100-Continue", "", "PUT /"),
    put("9110 10.1.1", "Expect: 200-ok", "", "417"),
    put("9110 10.1.1", "Expect:", "", "417"),
    put("9110 10.1.1", "Expect: 100-continue, x", "", "417"),
    put("9110 10.1.1", "Expect: x\r\nExpect: 100-continue", "", "417"),
    Row("9110 10.1.1", "GET / HTTP/1.0\r\nExpect: x\r\n\r\n", "GET / close"),
  ]

  @Test(arguments: lengths + codings + expectations)
  func `framing is read as its clause says`(_ row: Row) {
    #expect(readEveryWay(row.bytes) == row.outcome)
  }

  @Test(arguments: chunks + extensionsAndTrailers + goodExtensions + badExtensions)
  func `chunks are read as their clause says`(_ row: Row) {
    #expect(readEveryWay(row.bytes) == row.outcome)
  }

  @Test func `extensions and trailers without end are refused while they come`() {
    let head = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    let long = String(repeating: "a", count: 70_000)
    #expect(read([Array((head + "3;" + long).utf8)[...]]) == ["400 chunkExtension"])
    #expect(read([Array((head + "0\r\n" + long).utf8)[...]]) == ["431"])
    #expect(read([Array((head + "0\r\nA: " + long).utf8)[...]]) == ["431"])
    let many = String(repeating: "1;\(String(repeating: "a", count: 600))\r\nx\r\n", count: 120)
    #expect(read([Array((head + many).utf8)[...]]) == ["400 chunkExtension"])
  }

  @Test func `a body at its limit is served, one byte more gets 413`() {
    var limits = RequestLimits()
    limits.bodyBytesMax = 4
    func outcome(_ fields: String, _ body: String) -> [String] {
      let text = "PUT / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)"
      return readEveryWay(Array(text.utf8), limits: limits)
    }
    #expect(outcome("Content-Length: 4", "abcd") == ["PUT / abcd"])
    #expect(outcome("Content-Length: 5", "abcde") == ["413"])
    let chunked = "Transfer-Encoding: chunked"
    #expect(outcome(chunked, "2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n") == ["PUT / abcd"])
    #expect(outcome(chunked, "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n") == ["413"])
  }

  @Test func `a body that is not wanted is dropped, and the next request read`() {
    for text in [
      "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    ] {
      var reader = RequestReader()
      var scratch = ReaderScratch(limits: RequestLimits())
      let bytes = Array(
        "PUT / HTTP/1.1\r\nHost: h\r\n\(text)GET /2 HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
      var position = 0
      var found: [String] = []
      loop: while true {
        switch reader.next(bytes.span, at: &position, scratch: &scratch) {
        case .incomplete: break loop
        case .head:
          found.append("head")
          reader.discardBody()
        case .discarded: found.append("discarded")
        case .request(let request): found.append(describe(request))
        case .refused(let error): found.append(describe(error))
        }
      }
      #expect(found == ["head", "discarded", "GET /2"])
      #expect(reader.bufferedBytes == 0)
    }
  }

  @Test func `nothing behind an error is read as a request`() {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    var position = 0
    let bad = Array("BAD\r\n".utf8)
    guard case .refused(let error) = reader.next(bad.span, at: &position, scratch: &scratch) else {
      Issue.record("not refused")
      return
    }
    let good = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    for _ in 0..<2 {
      position = 0
      guard case .refused(let again) = reader.next(good.span, at: &position, scratch: &scratch)
      else {
        Issue.record("read on")
        return
      }
      #expect(again == error)
      #expect(position == 0)
    }
  }
}
