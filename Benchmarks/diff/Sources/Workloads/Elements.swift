public import DeltaEngine

/// Sixteen bytes: an id and a content.
public struct Item: Diffable, Hashable, Sendable {
  public var id: Int
  public var content: Int
  public var diffID: Int { id }
  public func hasSameContent(as other: Item) -> Bool { content == other.content }
}

/// An item whose id is a string on the heap.
public struct StringItem: Diffable, Hashable, Sendable {
  public var id: String
  public var content: Int
  public var diffID: String { id }
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
public struct CustomItem: Diffable, Hashable, Sendable {
  public var id: CustomID
  public var content: Int
  public var diffID: CustomID { id }
  public func hasSameContent(as other: CustomItem) -> Bool { content == other.content }

  init(_ item: Item) {
    id = CustomID(value: item.id)
    content = item.content
  }
}

/// An item as the service keeps it: an interned id and a 128-bit content hash.
public struct InternedItem: Diffable, Hashable, Sendable {
  public var id: UInt32
  public var content: ContentHash
  @inlinable public var diffID: UInt32 { id }
  @inlinable
  public func hasSameContent(as other: InternedItem) -> Bool { content == other.content }
}

/// Sixteen bytes that are all identity, as a UUID is.
public struct UniqueID: BitwiseIdentity, Diffable, Sendable {
  public var high: UInt64
  public var low: UInt64
  public var diffID: UniqueID { self }
  public func hasSameContent(as other: UniqueID) -> Bool { true }
}

/// A section of items.
public struct ItemSection: DiffableSection, Hashable, Sendable {
  public var id: Int
  public var items: [Item]
  public var diffID: Int { id }
  public func hasSameContent(as other: ItemSection) -> Bool { true }
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
