import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// Identities that are whole numbers give the same delta, whatever numbers they are.
@Suite struct NumberedIdentityTests {
  struct Item<ID: Hashable & Sendable>: Diffable, Equatable {
    var diffID: ID
    var content: Int
    func hasSameContent(as other: Item) -> Bool { content == other.content }
  }

  /// The same list with other numbers for identities, in the same order of magnitude or not.
  static func items<ID: Hashable & Sendable>(
    _ list: [Int], _ content: (Int) -> Int = { _ in 0 }, id: (Int) -> ID
  ) -> [Item<ID>] {
    list.map { Item(diffID: id($0), content: content($0)) }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `numbers close together and far apart give one delta`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...400, using: &random)
    let source = Array(0..<count).shuffled(using: &random)
    var target = source
    for _ in 0..<count / Int.random(in: 1...8, using: &random) {
      target[Int.random(in: 0..<count, using: &random)] = -1
    }
    target = target.filter { $0 >= 0 } + Array(count..<count + count / 3)
    if seed % 2 == 0 { target.shuffle(using: &random) }
    let far = try delta(source, target) { $0 &* 0x1E37_79B9_7F4A_7C15 }
    #expect(try delta(source, target) { $0 } == far)
    #expect(try delta(source, target) { Int.max - $0 } == far)
    #expect(try delta(source, target) { Int.min + $0 } == far)
    #expect(try delta(source, target) { Int32($0) - 200 } == far)
    #expect(try delta(source, target) { Int32.max - Int32($0) } == far)
    #expect(try delta(source, target) { UInt32.max - UInt32($0) } == far)
    #expect(try delta(source, target) { UInt64($0) << 1 } == far)
    #expect(try delta(source, target) { Int16($0) } == far)
  }

  private func delta<ID: Hashable & Sendable>(
    _ source: [Int], _ target: [Int], id: (Int) -> ID
  ) throws -> Delta {
    let source = Self.items(source, id: id)
    let target = Self.items(target, { $0 % 5 == 0 ? 1 : 0 }, id: id)
    let delta = try Delta(fromItems: source, toItems: target, uniqueness: .promised)
    try Simulator.check(delta, fromItems: source, toItems: target)
    return delta
  }

  @Test func `a number that stands twice is named by both places, however it is matched`() {
    for factor in [1, 0x9E37_79B9_7F4A] {
      let list = (0..<300).map { $0 * factor }
      let source = Self.items(list) { $0 }
      let twice = Self.items([list[7]] + list.reversed().dropLast(8) + [list[7]]) { $0 }
      #expect(throws: DuplicateIdentifier.self) {
        try Delta(fromItems: source, toItems: twice, uniqueness: .promised)
      }
      #expect(throws: DuplicateIdentifier.self) {
        try Delta(fromItems: twice, toItems: source, uniqueness: .promised)
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a list turned around moves all but one, whatever else changed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for count in [2, 63, 64, 65, 200, 777] {
      for edits in [0, 1, 3, count / 10] {
        let source = (0..<count).map { $0 &* 7919 }
        var target = Array(source.reversed())
        for edit in 0..<edits {
          let index = target.indices.randomElement(using: &random) ?? 0
          if edit % 3 == 1 { target.insert(-edit, at: index) }
          if edit % 3 == 2 { target.remove(at: index) }
          target[target.count / 2] = edit % 2 == 0 ? -1000 - edit : target[target.count / 2]
        }
        let moved = try delta(source, target) { $0 }.changes.movedItems.count
        #expect(
          try moved
            == delta(source, target) { $0 &* 0x1E37_79B9_7F4A_7C15 }.changes.movedItems.count)
        if edits == 0 { #expect(moved == count - 1) }
      }
    }
  }

  @Test func `sections turned around, each in itself and all of them`() throws {
    let source = (0..<40).map { section in
      NumberedSection(
        diffID: section, items: (0..<7).map { Numbered(id: (section * 10 + $0) * 0x9E37_79B9) })
    }
    let inside = source.map { NumberedSection(diffID: $0.diffID, items: $0.items.reversed()) }
    for target in [inside, inside.reversed(), source.reversed()] {
      let delta = try Delta(from: source, to: target)
      try Simulator.check(delta, from: source, to: target)
      #expect(delta.changes.deletedItems.isEmpty)
    }
    #expect(try Delta(from: source, to: inside).changes.movedItems.count == 40 * 6)
  }
}
