import SnapshotJSON
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct StoredPiecesTests {
  /// Stored bytes of all that there is to write, to a sink or in one piece.
  private func bytes(_ sink: StoredBytesSink?) -> [UInt8] {
    var writer = StoredBytesWriter(kind: StoredKind.image, capacity: 16, sink: sink)
    for number in 0..<40 {
      writer.number(number << number % 20)
      writer.text(Array(repeating: UInt8(number), count: number * 3)[...])
      writer.hash(hash128([UInt8(number)]))
    }
    return writer.finish()
  }

  @Test(arguments: [1, 2, 7, 64, 100, 1000, 3267, 3268, 100_000])
  func `pieces of any size are together what is written in one piece`(pieceBytes: Int) {
    let whole = bytes(nil)
    var pieces: [[UInt8]] = []
    var lasts: [Bool] = []
    _ = bytes(
      StoredBytesSink(pieceBytes: pieceBytes) { piece, isLast in
        pieces.append(piece)
        lasts.append(isLast)
      })
    #expect(pieces.flatMap { $0 } == whole)
    #expect(pieces.dropLast().allSatisfy { $0.count == pieceBytes })
    #expect(1...pieceBytes ~= pieces.last?.count ?? 0)
    #expect(lasts == Array(repeating: false, count: pieces.count - 1) + [true])
  }
}
