extension Snapshot {
  /// An object in a text that replaces elided items.
  public struct ElisionMarker: Hashable, Sendable {
    /// The offset of the object in the text, in bytes.
    public var offset: Int
    /// The number of items it replaces.
    public var count: Int

    /// Creates an omission.
    public init(offset: Int, count: Int) {
      self.offset = offset
      self.count = count
    }
  }

  /// A position in a section where items are elided, corresponding to an `ElisionMarker`.
  public struct Gap: Hashable, Sendable {
    /// The index in `Snapshot.items` of the item after the gap.
    public let item: Int
  }

  /// A part of a section.
  public enum Piece: Hashable, Sendable {
    /// Items that were read, as indices in `Snapshot.items`.
    case items(Range<Int>)
    /// Elided items, as an index in `Snapshot.gaps`.
    case gap(Int)
  }

  /// The items and gaps of a section, in order.
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
