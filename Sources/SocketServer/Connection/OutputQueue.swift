/// Bytes that a connection could not send yet, in their order; there is one only while there are any.
///
/// It belongs to its connection's event loop, as the connection does.
final class OutputQueue {
  private struct Piece {
    var bytes: ArraySlice<UInt8>
    /// The buffer's own bytes, which are all in memory until the last of them is sent.
    let ownedCount: Int
    /// Counts a buffer that may have other owners.
    var charge: SharedCharge?
  }

  private var pieces: [Piece] = []
  private var first = 0
  /// Pieces that are sent, up to which their places are kept.
  private static let sentPiecesMax = 64
  /// The bytes that wait.
  private(set) var count = 0
  /// The bytes in memory that have no other owner.
  private(set) var ownedCount = 0

  /// The piece to send next.
  var next: ArraySlice<UInt8> { pieces[first].bytes }

  /// Whether anything waits behind the next piece.
  var hasMore: Bool { first + 1 < pieces.count }

  /// Adds bytes that have no other owner.
  func append(_ bytes: [UInt8]) {
    append(Piece(bytes: bytes[...], ownedCount: bytes.count))
  }

  /// Adds bytes of a buffer that may have other owners.
  func append(_ bytes: ArraySlice<UInt8>, _ charge: SharedCharge) {
    append(Piece(bytes: bytes, ownedCount: 0, charge: charge))
  }

  private func append(_ piece: Piece) {
    pieces.append(piece)
    count += piece.bytes.count
    ownedCount += piece.ownedCount
  }

  /// Takes bytes off the front that were sent: no more than the next piece has.
  func remove(_ sent: Int) {
    count -= sent
    pieces[first].bytes = pieces[first].bytes.dropFirst(sent)
    guard pieces[first].bytes.isEmpty else { return }
    ownedCount -= pieces[first].ownedCount
    pieces[first].bytes = []
    pieces[first].charge = nil
    first += 1
    if first == Self.sentPiecesMax {
      pieces.removeFirst(first)
      first = 0
    }
  }
}
