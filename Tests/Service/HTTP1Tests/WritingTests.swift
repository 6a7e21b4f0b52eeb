import HTTP1
import Testing

struct WritingTests {
  private let date = HTTPDate.line(secondsSince1970: 784_111_777)

  private func head(
    _ response: HTTPResponse, _ request: String = "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    framing: ResponseFraming = .length, closes: Bool = false
  ) -> String {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    var position = 0
    let bytes = Array(request.utf8)
    guard case .request(let request) = reader.next(bytes.span, at: &position, scratch: &scratch)
    else { return "" }
    var head = OutputBuffer(capacity: 16)
    ResponseWriter.head(
      response, to: RequestContext(request), dateLine: date, framing: framing, closes: closes,
      into: &head)
    return String(decoding: head.withBytes { $0.copied() }, as: UTF8.self)
  }

  private static let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

  @Test func `a head has its status, date, fields and length`() {
    var response = HTTPResponse(status: 200, body: .segments([[1, 2], [3]]))
    response.setField("ETag", "\"a\"")
    #expect(
      head(response)
        == "HTTP/1.1 200 OK\r\n\(Self.dateLine)ETag: \"a\"\r\nContent-Length: 3\r\n\r\n")
  }

  @Test func `an answer without content says so, but not with 204 and 304`() {
    #expect(head(HTTPResponse(status: 404)).hasSuffix("Content-Length: 0\r\n\r\n"))
    #expect(head(HTTPResponse(status: 204)) == "HTTP/1.1 204 No Content\r\n\(Self.dateLine)\r\n")
    #expect(head(HTTPResponse(status: 304)) == "HTTP/1.1 304 Not Modified\r\n\(Self.dateLine)\r\n")
  }

  @Test func `a status without a phrase keeps the space in front of it`() {
    #expect(head(HTTPResponse(status: 299)).hasPrefix("HTTP/1.1 299 \r\n"))
  }

  @Test func `a connection that ends, or goes on against the version's habit, says so`() {
    let response = HTTPResponse(status: 200)
    #expect(head(response, closes: true).contains("\r\nConnection: close\r\n"))
    let old = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    #expect(head(response, old).contains("\r\nConnection: keep-alive\r\n"))
    #expect(head(response, old, closes: true).contains("\r\nConnection: close\r\n"))
  }

  @Test func `content of unknown length is chunked, or ended by the connection`() {
    let response = HTTPResponse(status: 200)
    #expect(head(response, framing: .chunked).hasSuffix("Transfer-Encoding: chunked\r\n\r\n"))
    let closed = head(response, framing: .close, closes: true)
    #expect(closed == "HTTP/1.1 200 OK\r\n\(Self.dateLine)Connection: close\r\n\r\n")
  }

  @Test func `content is sent unless the method or the status has none`() {
    #expect(HTTPResponse(status: 200).sendsBody(to: RequestContext()))
    #expect(!HTTPResponse(status: 204).sendsBody(to: RequestContext()))
    #expect(!HTTPResponse(status: 304).sendsBody(to: RequestContext()))
    var head = RequestContext()
    head.isHead = true
    #expect(!HTTPResponse(status: 200).sendsBody(to: head))
  }

  @Test func `the parts of a chunk`() {
    var bytes = OutputBuffer(capacity: 1)
    ResponseWriter.chunkHead(0x1F40, into: &bytes)
    ResponseWriter.chunkEnd(into: &bytes)
    ResponseWriter.lastChunk(into: &bytes)
    ResponseWriter.proceed(into: &bytes)
    let text = String(decoding: bytes.withBytes { $0.copied() }, as: UTF8.self)
    #expect(
      text == "1f40\r\n\r\n0\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
  }

  @Test func `numbers are written in decimal and hexadecimal digits`() {
    for number in [0, 1, 9, 10, 15, 16, 99, 100, 255, 256, 4095, 65_536, 16_777_216, Int.max] {
      var bytes = OutputBuffer(capacity: 1)
      bytes.append(decimal: number)
      bytes.append(" ")
      bytes.append(hexadecimal: number)
      let text = String(decoding: bytes.withBytes { $0.copied() }, as: UTF8.self)
      #expect(text == "\(number) \(String(number, radix: 16))")
    }
  }

  @Test func `a buffer keeps its bytes as it grows, and gives memory back`() {
    var bytes = OutputBuffer(capacity: 4)
    for _ in 0..<1000 { bytes.append("abc") }
    bytes.append([0x64])
    bytes.append([])
    let count = bytes.count
    #expect(count == 3001)
    let expected = String(repeating: "abc", count: 1000) + "d"
    let text = String(decoding: bytes.withBytes { $0.copied() }, as: UTF8.self)
    #expect(text == expected)
    bytes.removeAll(keepingCapacityMax: 16)
    bytes.append("x")
    let rest = bytes.withBytes { $0.copied() }
    #expect(rest == [0x78])
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
    (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func `a time is rendered as RFC 9110 §5.6.7 says`(_ seconds: Int, _ text: String) {
    #expect(String(decoding: HTTPDate.render(secondsSince1970: seconds), as: UTF8.self) == text)
  }
}
