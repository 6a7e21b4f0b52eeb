/// A part of the list that a view shows.
enum ListWindow: Hashable {
  case first(Int)
  case last(Int)
  /// Items from an index on.
  case at(Int, count: Int)
  /// An item, and as many before and after it, wherever it moves.
  case around(ReplicaID, before: Int, after: Int)

  /// The text in the protocol.
  var text: String {
    switch self {
    case .first(let count): "first:\(count)"
    case .last(let count): "last:\(count)"
    case .at(let index, let count): "at:\(index):\(count)"
    case .around(let id, let before, let after): "around:\(id):\(before):\(after)"
    }
  }

  /// Parses the text of a window around an item, whose id may have colons; `nil` for others.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0] == "around", let after = Int(parts[parts.count - 1]),
      let before = Int(parts[parts.count - 2])
    else { return nil }
    self = .around(
      ReplicaID(parts[1..<parts.count - 2].joined(separator: ":")), before: before, after: after)
  }
}
