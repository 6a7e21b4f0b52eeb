import TestSupport
import Testing

@testable import DeltaEngine

/// Finding partners by itself, against a dictionary.
@Suite struct MatcherTests {
  struct Word: Diffable {
    var diffID: String
    func hasSameContent(as other: Word) -> Bool { true }
  }

  struct Number: Diffable {
    var diffID: Int
    func hasSameContent(as other: Number) -> Bool { true }
  }

  @Test(arguments: 0..<20)
  func `partners are those of the same identity`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...500, using: &generator)
    let kept = Double.random(in: 0...1, using: &generator)
    let spread = [1, 1000][Int(seed % 2)]
    let source = (0..<count).map { $0 * spread }.shuffled(using: &generator)
    let target = source.map { Double.random(in: 0...1, using: &generator) < kept ? $0 : -1 - $0 }
      .shuffled(using: &generator)
    try check(source.map(Number.init), target.map(Number.init))
    try check(source.map { Word(diffID: "w\($0)") }, target.map { Word(diffID: "w\($0)") })
    try check(source.map(Number.init), source.reversed().map(Number.init))
  }

  private func check<Element: Diffable>(_ source: [Element], _ target: [Element]) throws {
    let places = Dictionary(uniqueKeysWithValues: source.enumerated().map { ($1.diffID, $0) })
    let partners = try partners(ContiguousArray(source), ContiguousArray(target))
    #expect(partners == target.map { places[$0.diffID] ?? -1 })
  }

  /// Matches all elements, none lined up.
  private func partners<Element: Diffable>(
    _ source: ContiguousArray<Element>, _ target: ContiguousArray<Element>
  ) throws -> [Int] {
    try source.withElements { source in
      try target.withElements { target in
        try Arena.with { arena in
          var alignment = Alignment(
            sourceCount: source.count, targetCount: target.count, pairCountMax: 1, in: &arena)
          var pair = SectionPair(
            sourceSection: 0, targetSection: 0, sourceCount: source.count,
            behind: alignment.unresolved)
          for index in 0..<source.count { alignment.unresolved.source.append(Int32(index)) }
          for index in 0..<target.count { alignment.unresolved.target.append(Int32(index)) }
          pair.close(alignment.unresolved)
          alignment.append(pair)
          let lists = (
            arena.allocate(1, of: Elements<Element>.self),
            arena.allocate(1, of: Elements<Element>.self)
          )
          (lists.0[0], lists.1[0]) = (source, target)
          var matcher = Matcher(alignment, lists.0, lists.1, in: &arena)
          try matcher.match(in: &arena)
          return (0..<target.count).map { matcher.partners[$0] }
        }
      }
    }
  }

  @Test func `sections that neither come, go nor move keep their order`() {
    Arena.with { arena in
      let mapping = SectionMapping(
        inserted: [1], deleted: [0], moved: [(4, 0)], sourceCount: 5, targetCount: 5, in: &arena)
      #expect((0..<5).map { mapping[$0] } == [4, -1, 1, 2, 3])
    }
  }
}
