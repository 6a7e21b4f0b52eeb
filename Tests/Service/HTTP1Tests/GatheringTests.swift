import Testing

@testable import HTTP1

/// A body that comes in many pieces is put together where it is: copying it with each piece would
/// make a sender of small pieces expensive.
struct GatheringTests {
  @Test func `a body's bytes stay where they are while more come`() {
    let piece = [UInt8](repeating: 0x78, count: 1000)
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    let head = Array("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n".utf8)
    feed(head, to: &reader, &scratch)
    var addresses: Set<UInt> = []
    for _ in 0..<999 {
      feed(piece, to: &reader, &scratch)
      addresses.insert(address(of: reader))
    }
    #expect(addresses.count == 1)
    #expect(reader.bodyBytes == 999_000)
  }

  @Test func `one whose length is not told moves as often as its room is doubled`() {
    let piece = Array("3e8\r\n".utf8) + [UInt8](repeating: 0x78, count: 1000) + Array("\r\n".utf8)
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    feed(
      Array("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8), to: &reader,
      &scratch)
    var addresses: [UInt] = []
    for _ in 0..<1000 {
      feed(piece, to: &reader, &scratch)
      let now = address(of: reader)
      if addresses.last != now { addresses.append(now) }
    }
    #expect(addresses.count < 25)
    #expect(reader.bodyBytes == 1_000_000)
  }

  private func feed(
    _ bytes: [UInt8], to reader: inout RequestReader, _ scratch: inout ReaderScratch
  ) {
    var position = 0
    while true {
      switch reader.next(bytes.span, at: &position, scratch: &scratch) {
      case .head: continue
      case .incomplete: return
      case let other:
        Issue.record("\(other)")
        return
      }
    }
  }

  private func address(of reader: RequestReader) -> UInt {
    reader.content.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
