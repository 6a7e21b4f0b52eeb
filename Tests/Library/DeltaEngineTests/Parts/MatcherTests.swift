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
    for isAligned in [false, true] {
      for uniqueness in [Uniqueness.checked, .sourceChecked, .promised] {
        var matcher = Matcher([source], [target])
        if isAligned { matcher.align(sourceList: 0, targetList: 0) }
        try matcher.matchRest(uniqueness)
        var partners = [Int](repeating: -1, count: target.count)
        for run in matcher.runs {
          for offset in 0..<run.count {
            partners[run.target.item + offset] = run.source.item + offset
          }
        }
        #expect(partners == target.map { places[$0.diffID] ?? -1 })
        #expect(matcher.matchedCount == partners.count { $0 >= 0 })
        #expect(matcher.isTaken == source.indices.map { partners.contains($0) })
      }
    }
  }

  @Test func `sections that neither come, go nor move keep their order`() {
    var changes = DeltaChanges()
    changes.insertedSections = [SectionIndex(1)]
    changes.deletedSections = [SectionIndex(0)]
    changes.movedSections = [
      SectionIndexPair(source: SectionIndex(4), target: SectionIndex(0))
    ]
    #expect(changes.sourceSections(sourceCount: 5, targetCount: 5) == [4, -1, 1, 2, 3])
  }
}
