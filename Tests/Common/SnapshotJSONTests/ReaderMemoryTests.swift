import Testing

@testable import SnapshotJSON

/// What a reader keeps for the next text.
@Suite struct ReaderMemoryTests {
  @Test func `a large tape is released with its document, a small one is used again`() throws {
    let reader = JSONReader()
    func read(_ count: Int) throws {
      _ = try reader.read(Array("[\(String(repeating: "0,", count: count))0]".utf8))
    }
    try read(1000)
    let kept = reader.keptByteCount
    #expect(kept > 0)
    try read(900)
    #expect(reader.keptByteCount == kept)
    for count in [50_000, 100_000, 200_000, 500_000, 1000] {
      try read(count)
      #expect(reader.keptByteCount <= 4 << 20)
    }
  }
}
