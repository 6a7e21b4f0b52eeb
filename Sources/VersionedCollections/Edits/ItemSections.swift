import DeltaEngine

/// The section of each item in a draft, so that edits need not search all items.
///
/// Items and sections are identified by their small numbers in the collection's `IDTable`, which
/// are used as array indices. An item's position within its section is not stored, because every
/// insertion before it changes that.
struct ItemSections {
  /// The section's number by item number; `nobody` for items that do not exist.
  private var sections: [UInt32] = []
  /// The number of items.
  private(set) var count = 0

  private static let nobody = UInt32.max

  /// Creates an empty index.
  init() {}

  /// The section of an item; nil if the item does not exist.
  subscript(item: UInt32) -> UInt32? {
    get {
      guard Int(item) < sections.count, sections[Int(item)] != Self.nobody else { return nil }
      return sections[Int(item)]
    }
    set {
      if self[item] != nil { count -= 1 }
      if newValue != nil { count += 1 }
      makeRoom(for: item)
      sections[Int(item)] = newValue ?? Self.nobody
    }
  }

  private mutating func makeRoom(for item: UInt32) {
    guard Int(item) >= sections.count else { return }
    let room = max(Int(item) + 1, 2 * sections.count)
    sections.append(
      contentsOf: repeatElement(Self.nobody, count: room - sections.count))
  }

}

/// A set of small numbers, stored as one bit for each number up to the largest.
struct NumberSet {
  private var words: [UInt64]

  /// - Complexity: O(*n*) time, and a bit of memory for each number up to the largest.
  init(_ numbers: [UInt32]) {
    words = [UInt64](repeating: 0, count: numbers.max().map { Int($0) / 64 + 1 } ?? 0)
    for number in numbers { words[Int(number) / 64] |= 1 << UInt64(number % 64) }
  }

  func contains(_ number: UInt32) -> Bool {
    let word = Int(number) / 64
    return word < words.count && words[word] & (1 << UInt64(number % 64)) != 0
  }
}
