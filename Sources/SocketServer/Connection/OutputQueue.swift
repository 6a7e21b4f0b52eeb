/// Bytes that a connection could not send yet, in their order.
struct OutputQueue {
  private var pieces: [ArraySlice<UInt8>] = []
  private var first = 0
  /// The bytes that wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The piece to send next.
  var next: ArraySlice<UInt8> { pieces[first] }

  /// Tells whether anything waits behind the next piece.
  var hasMore: Bool { first + 1 < pieces.count }

  mutating func append(_ piece: ArraySlice<UInt8>) {
    guard !piece.isEmpty else { return }
    pieces.append(piece)
    count += piece.count
  }

  /// Takes bytes off the front that were sent: no more than the next piece has.
  mutating func remove(_ sent: Int) {
    count -= sent
    pieces[first] = pieces[first].dropFirst(sent)
    guard pieces[first].isEmpty else { return }
    pieces[first] = []
    first += 1
    if first == pieces.count {
      pieces = []
      first = 0
    }
  }

  mutating func removeAll() { self = OutputQueue() }
}
