public import DeltaEngine
public import LiveCollections

/// Sixteen bytes: an id and a content.
public struct Item: UniquelyIdentifiable, Hashable, Sendable {
  public var id: Int
  public var content: Int
  public var uniqueID: Int { id }
  public func hasSameContent(as other: Item) -> Bool { content == other.content }
}

/// An item whose id is a string on the heap.
public struct StringItem: UniquelyIdentifiable, Hashable, Sendable {
  public var id: String
  public var content: Int
  public var uniqueID: String { id }
  public func hasSameContent(as other: StringItem) -> Bool { content == other.content }

  init(_ item: Item) {
    id = "urn:item:" + String(item.id, radix: 16) + ":row"
    content = item.content
  }
}

/// An id that only `Hasher` can hash.
public struct CustomID: Hashable, Sendable {
  public var value: Int
}

/// An item with such an id.
public struct CustomItem: UniquelyIdentifiable, Hashable, Sendable {
  public var id: CustomID
  public var content: Int
  public var uniqueID: CustomID { id }
  public func hasSameContent(as other: CustomItem) -> Bool { content == other.content }

  init(_ item: Item) {
    id = CustomID(value: item.id)
    content = item.content
  }
}

/// An item as the service keeps it: an interned id and a 128-bit content hash.
public struct InternedItem: UniquelyIdentifiable, Hashable, Sendable {
  public var id: UInt32
  public var content: ContentHash
  @inlinable public var uniqueID: UInt32 { id }
  @inlinable
  public func hasSameContent(as other: InternedItem) -> Bool { content == other.content }
}

/// A section of items.
public struct ItemSection: UniquelyIdentifiableSection, Hashable, Sendable {
  public var id: Int
  public var items: [Item]
  public var uniqueID: Int { id }
}

/// An old and a new version.
public struct Versions<Element: Sendable>: Sendable {
  public var old: [Element]
  public var new: [Element]
}

/// SplitMix64.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A distinct id, for all that chance can do: 63 random bits.
  mutating func id() -> Int { Int(next() >> 1) }

  /// So many distinct indices below a count.
  mutating func pick(_ number: Int, of count: Int) -> [Int] {
    var seen = Set<Int>()
    var picked: [Int] = []
    while picked.count < number {
      let index = Int.random(in: 0..<count, using: &self)
      if seen.insert(index).inserted { picked.append(index) }
    }
    return picked
  }
}
