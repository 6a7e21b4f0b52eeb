/// Output that a connection could not send yet, in order; exists only while there is any.
///
/// It is used only on its connection's event loop.
final class OutputQueue {
  private struct Piece {
    var bytes: ArraySlice<UInt8>
    /// The size of the whole buffer if it has no other owner, freed when its last byte is sent;
    /// else 0.
    let ownedCount: Int
    /// Counts a buffer that may have other owners.
    var charge: SharedCharge?
  }

  private var pieces: [Piece] = []
  private var first = 0
  /// The number of sent pieces after which their places are removed.
  private static let sentPiecesMax = 64
  private(set) var count = 0
  /// The bytes in memory that have no other owner.
  private(set) var ownedCount = 0

  var next: ArraySlice<UInt8> { pieces[first].bytes }

  var hasMore: Bool { first + 1 < pieces.count }

  /// Appends bytes that have no other owner.
  func append(_ bytes: [UInt8]) {
    append(Piece(bytes: bytes[...], ownedCount: bytes.count))
  }

  /// Appends bytes of a buffer that may have other owners.
  func append(_ bytes: ArraySlice<UInt8>, _ charge: SharedCharge) {
    append(Piece(bytes: bytes, ownedCount: 0, charge: charge))
  }

  private func append(_ piece: Piece) {
    pieces.append(piece)
    count += piece.bytes.count
    ownedCount += piece.ownedCount
  }

  /// Removes sent bytes from the front, at most those of the next piece.
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
