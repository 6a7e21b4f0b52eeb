import HTTP1
import Testing

struct DecodingTests {
  /// A coding in which every byte stands for two, and `!` for what is broken.
  private final class Doubler: BodyDecoder, @unchecked Sendable {
    let heldBytes = 0
    var pieces: [Int] = []
    var isFinished = false

    func decode(_ bytes: Span<UInt8>, into content: inout [UInt8]) throws(RequestError) {
      pieces.append(bytes.count)
      for index in bytes.indices {
        if bytes[index] == UInt8(ascii: "!") { throw .bodyInflatesTooMuch(ratio: 2) }
        content += [bytes[index], bytes[index]]
      }
    }

    func finish() throws(RequestError) {
      if pieces.isEmpty { throw .malformed(.contentCoding) }
      isFinished = true
    }
  }

  /// Reads a PUT, and gives what came of it.
  private func read(_ text: String, _ decoder: Doubler) -> [String] {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    let bytes = Array(text.utf8)
    var position = 0
    var found: [String] = []
    while true {
      switch reader.next(bytes.span, at: &position, scratch: &scratch) {
      case .head: reader.decodeBody(with: decoder)
      case .incomplete where position < bytes.count: continue
      case .incomplete: return found
      case .request(let request): found.append(describe(request))
      case .discarded: found.append("discarded")
      case .refused(let error): return found + [describe(error)]
      }
    }
  }

  private func put(_ fields: String, _ body: String) -> String {
    "PUT /a HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)"
  }

  @Test func `a body is decoded while it comes, and what follows is the next request`() {
    for (fields, body) in [
      ("Content-Length: 3", "abc"),
      ("Transfer-Encoding: chunked", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"),
    ] {
      let decoder = Doubler()
      let next = "GET /b HTTP/1.1\r\nHost: h\r\n\r\n"
      #expect(read(put(fields, body) + next, decoder) == ["PUT /a aabbcc", "GET /b"])
      #expect(decoder.isFinished)
    }
  }

  @Test func `one call decodes a bounded piece`() {
    let size = 3 * RequestReader.decodedBytesMax + 5
    let body = String(repeating: "x", count: size)
    for (fields, body) in [
      ("Content-Length: \(size)", body),
      ("Transfer-Encoding: chunked", "\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n"),
    ] {
      let decoder = Doubler()
      #expect(read(put(fields, body), decoder).first?.utf8.count == 2 * size + 7)
      #expect(decoder.pieces.reduce(0, +) == size)
      #expect(decoder.pieces.allSatisfy { $0 <= RequestReader.decodedBytesMax })
    }
  }

  @Test func `a decoder refuses at any byte, and at the end`() {
    #expect(read(put("Content-Length: 900", "a!"), Doubler()) == ["413"])
    let empty = put("Transfer-Encoding: chunked", "0\r\n\r\n")
    #expect(read(empty, Doubler()) == ["400 contentCoding"])
  }
}
