extension Snapshot {
  /// An object in a text in place of items that were left out of it.
  public struct Omission: Hashable, Sendable {
    /// Where the object begins in the text, in bytes.
    public var offset: Int
    /// How many items it replaces.
    public var count: Int

    /// An object, and the number of items it replaces.
    public init(offset: Int, count: Int) {
      self.offset = offset
      self.count = count
    }
  }

  /// A place in a section where items are left out: what became of an `Omission`.
  public struct Gap: Hashable, Sendable {
    /// The index in `Snapshot.items` of the item in front of which it is.
    public let item: Int
  }

  /// What is in a section, one after the other.
  public enum Piece: Hashable, Sendable {
    /// Items that were read, by their indices in `Snapshot.items`.
    case items(Range<Int>)
    /// Items that were left out, by the index in `Snapshot.gaps`.
    case gap(Int)
  }

  /// The items and the gaps of a section, in order.
  public func pieces(of section: Section) -> [Piece] {
    var pieces: [Piece] = []
    var item = section.items.lowerBound
    for gap in section.gaps {
      if gaps[gap].item > item { pieces.append(.items(item..<gaps[gap].item)) }
      pieces.append(.gap(gap))
      item = gaps[gap].item
    }
    if item < section.items.upperBound { pieces.append(.items(item..<section.items.upperBound)) }
    return pieces
  }
}
