import DeltaEngine

/// In which section each item of a draft is: the index that spares edits a walk over all items.
///
/// Items and sections go by their numbers in the collection's `IDTable`. Numbers are small, so an
/// array does. Where in its section an item is changes with each insertion before it; that is
/// looked up in the section.
struct ItemHomes {
  /// The section's number by the item's; `nobody` where there is no such item.
  private var sections: [UInt32] = []
  /// The number of items.
  private(set) var count = 0

  private static let nobody = UInt32.max

  /// No items.
  init() {}

  /// The items of some sections.
  ///
  /// - Complexity: O(n) in the items.
  init(_ sections: [Draft.Section]) {
    for section in sections {
      for item in section.items { self[item.id] = section.id }
    }
  }

  /// The section that an item is in; nil when there is no such item.
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

  /// Whether it says of each item of some sections where it is, and of no other.
  func isConsistent(with sections: [Draft.Section]) -> Bool {
    sections.allSatisfy { section in section.items.allSatisfy { self[$0.id] == section.id } }
      && count == sections.reduce(0) { $0 + $1.items.count }
  }
}

/// A set of small numbers: one bit for each number up to the largest.
struct NumberSet {
  private var words: [UInt64]

  /// - Complexity: O(n), and a bit for each number up to the largest.
  init(_ numbers: [UInt32]) {
    words = [UInt64](repeating: 0, count: numbers.max().map { Int($0) / 64 + 1 } ?? 0)
    for number in numbers { words[Int(number) / 64] |= 1 << UInt64(number % 64) }
  }

  func contains(_ number: UInt32) -> Bool {
    let word = Int(number) / 64
    return word < words.count && words[word] & (1 << UInt64(number % 64)) != 0
  }
}
