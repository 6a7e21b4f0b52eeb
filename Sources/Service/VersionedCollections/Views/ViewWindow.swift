/// The part of a view's list that a reader asks for.
package enum ViewWindow: Hashable, Sendable {
  case first(Int)
  case last(Int)
  /// Items from an index on; the index is not 0, which ``first(_:)`` is for.
  case at(Int, Int)
  /// The item with an id, and as many before and after it.
  case around([UInt8], before: Int, after: Int)

  /// The text in the protocol.
  package var text: String {
    switch self {
    case .first(let count): "first:\(count)"
    case .last(let count): "last:\(count)"
    case .at(let index, let count): "at:\(index):\(count)"
    case .around(let id, let before, let after):
      "around:\(String(decoding: id, as: UTF8.self)):\(before):\(after)"
    }
  }
}
