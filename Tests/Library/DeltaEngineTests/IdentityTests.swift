import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// Identities and contents that are equal by what their type says, and by nothing else.
@Suite struct IdentityTests {
  struct Measured: Diffable {
    var diffID: Int
    var value: Double
    func hasSameContent(as other: Measured) -> Bool { value == other.value }
  }

  @Test func `a content that does not equal itself is reloaded`() throws {
    let items = (0..<64).map { Measured(diffID: $0, value: $0 == 40 ? .nan : 1) }
    let delta = try Delta(fromItems: items, toItems: items)
    #expect(delta.changes.reloadedItems.map(\.target.item) == [40])
  }

  /// Each pair is one string to Swift and two to a comparison of bytes.
  @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}")])
  func `ids are the same under canonical equivalence`(one: String, other: String) throws {
    let fill = (0..<40).map { Item(id: "urn:item:\($0):row") }
    let delta = try Delta(
      fromItems: [Item(id: one)] + fill, toItems: fill.reversed() + [Item(id: other)])
    #expect(delta.changes.insertedItems.isEmpty && delta.changes.deletedItems.isEmpty)
    #expect(throws: DuplicateIdentifier.self) {
      try Delta(fromItems: [], toItems: [Item(id: one)] + fill + [Item(id: other)])
    }
  }

  struct Colliding: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) {}
  }

  struct CollidingItem: Diffable {
    var diffID: Colliding
    func hasSameContent(as other: CollidingItem) -> Bool { true }
  }

  @Test func `ids that all hash alike are slow and right`() throws {
    let items = (0..<300).map { CollidingItem(diffID: Colliding(number: $0)) }
    let delta = try Delta(fromItems: items, toItems: items.reversed())
    try Simulator.check(delta, fromItems: items, toItems: items.reversed())
    #expect(delta.changes.movedItems.count == 299)
  }

  @Test func `a duplicate's earlier place comes first, whatever collides`() throws {
    let letters = [0, 1, 2, 3, 9, 5, 9, 7, 8]
    let items = letters.map { CollidingItem(diffID: Colliding(number: $0)) }
    for uniqueness in [Uniqueness.checked, .promised] {
      let error = #expect(throws: DuplicateIdentifier.self) {
        try Delta(
          fromItems: items, toItems: [CollidingItem(diffID: Colliding(number: 77))],
          uniqueness: uniqueness)
      }
      #expect(error?.first == [0, 4] && error?.second == [0, 6])
    }
  }

  @Test func `a duplicate's earlier place comes first, whatever its section moved past`() {
    let source = list("x:AB y:BC")
    let target = list("y:D x:E")
    let error = #expect(throws: DuplicateIdentifier.self) {
      try Delta(from: source, to: target, uniqueness: .promised)
    }
    #expect(error?.first == [0, 1] && error?.second == [1, 0])
  }

  /// A section that has more items each time it is asked.
  final class Growing: DiffableSection {
    let diffID = 0
    var count = 0
    func hasSameContent(as other: Growing) -> Bool { true }
    var items: [Item] {
      count += 40
      return (0..<count).map { Item(id: "\($0 + count * 1_000)") }
    }
  }

  @Test func `a section is asked for its items once`() throws {
    let (source, target) = (Growing(), Growing())
    let delta = try Delta(from: [source], to: [target])
    #expect(source.count == 40 && target.count == 40 && delta.isEmpty)
  }

  /// Plain data whose `==` does not look at all of its bits.
  struct Spelled: Hashable, Sendable {
    var number: Int
    var spelling: Int
    static func == (one: Spelled, other: Spelled) -> Bool { one.number == other.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  struct Numbered<ID: Hashable>: Diffable {
    var diffID: ID
    var content: Int
    func hasSameContent(as other: Numbered) -> Bool { content == other.content }
  }

  @Test(arguments: [1, 4, 40, 1_000])
  func `ids of plain data are equal by what their type says`(spellings: Int) throws {
    var generator = SeededGenerator(seed: UInt64(spellings))
    for round in 0..<40 {
      let versions = (0..<2).map { _ in
        (0..<600).shuffled(using: &generator).prefix(round * 15).map {
          Numbered(diffID: $0, content: Int.random(in: 0..<3, using: &generator))
        }
      }
      let spelled = versions.map { list in
        list.map { item in
          let spelling = Int.random(in: 0..<spellings, using: &generator)
          let id = Spelled(number: item.diffID, spelling: spelling)
          return Numbered(diffID: id, content: item.content)
        }
      }
      let delta = try Delta(fromItems: spelled[0], toItems: spelled[1])
      #expect(try delta == Delta(fromItems: versions[0], toItems: versions[1]))
      let promised = try Delta(
        fromItems: spelled[0], toItems: spelled[1], uniqueness: .promised)
      #expect(promised == delta)
    }
  }

  @Test func `a broken promise of uniqueness never traps`() throws {
    var generator = SeededGenerator(seed: 99)
    for _ in 0..<2_000 {
      let source = repeated(&generator)
      let target = repeated(&generator)
      _ = try? Delta(fromItems: source, toItems: target, uniqueness: .promised)
      _ = try? Delta(
        fromItems: spelled(source, &generator), toItems: spelled(target, &generator),
        uniqueness: .promised)
    }
  }

  private func spelled(
    _ items: [Item], _ generator: inout SeededGenerator
  ) -> [Numbered<Spelled>] {
    items.map {
      let spelling = Int.random(in: 0..<3, using: &generator)
      return Numbered(diffID: Spelled(number: $0.id.hashValue, spelling: spelling), content: 0)
    }
  }

  private func repeated(_ generator: inout SeededGenerator) -> [Item] {
    (0..<Int.random(in: 0...40, using: &generator)).map { _ in
      Item(id: "i\(Int.random(in: 0..<20, using: &generator))")
    }
  }
}
