/// Bytes that a connection could not send yet, in their order; there is one only while there are any.
///
/// It belongs to its connection's event loop, as the connection does.
final class OutputQueue {
  private struct Piece {
    var bytes: ArraySlice<UInt8>
    /// Others hold the same bytes: they are in memory once, however many connections wait.
    let isShared: Bool
  }

  private var pieces: [Piece] = []
  private var first = 0
  /// The bytes that wait.
  private(set) var count = 0
  /// Those of them that nobody else holds.
  private(set) var ownedCount = 0

  /// The piece to send next.
  var next: ArraySlice<UInt8> { pieces[first].bytes }

  /// Tells whether anything waits behind the next piece.
  var hasMore: Bool { first + 1 < pieces.count }

  func append(_ bytes: ArraySlice<UInt8>, isShared: Bool) {
    guard !bytes.isEmpty else { return }
    pieces.append(Piece(bytes: bytes, isShared: isShared))
    count += bytes.count
    if !isShared { ownedCount += bytes.count }
  }

  /// Takes bytes off the front that were sent: no more than the next piece has.
  func remove(_ sent: Int) {
    count -= sent
    if !pieces[first].isShared { ownedCount -= sent }
    pieces[first].bytes = pieces[first].bytes.dropFirst(sent)
    guard pieces[first].bytes.isEmpty else { return }
    pieces[first].bytes = []
    first += 1
  }
}
