import DeltaEngine
import ListTestSupport
import LiveCollections
import TestSupport
import Testing

/// A song of which only a part is compared.
private struct Song: Matchable {
  var id: Int
  var title: String

  func match(_ other: Song) -> MatchResult {
    .noIdentityCompare(id, other.id) && title.lowercased() == other.title.lowercased()
  }
}

/// Answers as it likes.
private final class Moody: Sendable {
  let generator: Locked<SeededGenerator>

  init(generator: Locked<SeededGenerator>) { self.generator = generator }
}

private struct MoodySong: Matchable {
  var mood: Moody

  func match(_ other: MoodySong) -> MatchResult {
    mood.generator.withLock { generator in
      let answers: [MatchResult] = [
        .differentIdentity, .sameIdentityEqualValue, .differentIdentity,
      ]
      return answers[Int.random(in: 0..<3, using: &generator)]
    }
  }
}

private final class LettingGoView: DeltaUpdatableView {
  var canPerformBatches: Bool { true }
  func reloadData() {}
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {}
}

/// Changesets by pairwise matching: without hashing, without moves, in ranges.
@MainActor @Suite struct ChangesetTests {
  private func characters(_ text: String) -> [String] { text.map { String($0) } }

  @Test func `what is the same and shows something else is an update`() {
    let changeset = items("ABCDHI").changeset(to: items("BCD1FGHI1K"))
    #expect(changeset.updated == [3..<4, 5..<6])
    #expect(changeset.deleted == [0..<1])
    #expect(changeset.inserted == [3..<5, 7..<8])
    #expect(changeset.changedIndexesCount == 6)
    #expect(!changeset.wasReplaced)
    #expect((0..<6).map { changeset.afterIndex(forBeforeIndex: $0) } == [nil, 0, 1, 2, 5, 6])
    #expect(changeset.afterIndex(forBeforeIndex: 6) == nil)
    #expect(changeset.afterIndex(forBeforeIndex: -1) == nil)
  }

  @Test func `by equality alone a changed element goes and comes`() {
    struct Plain: Equatable { var item: Item }
    let source = items("ABCDHI").map(Plain.init)
    let changeset = source.changeset(to: items("BCD1FGHI1K").map(Plain.init))
    #expect(changeset.updated == [])
    #expect(changeset.deleted == [0..<1, 3..<4, 5..<6])
    #expect(changeset.inserted == [2..<5, 6..<8])
    #expect(changeset.changedIndexesCount == 8)
  }

  @Test(arguments: [
    ("ABC", "AB1C1", "u[1..<3]", false),
    ("ABC", "DEFG", "d[0..<3] i[0..<4]", true),
    ("", "DEFG", "i[0..<4]", true),
    ("ABC", "", "d[0..<3]", true),
    ("", "", "", false),
    ("A", "A1", "u[0..<1]", false),
    ("ABCDE", "EABCD", "d[4..<5] i[0..<1]", false),
    ("ABCXYZ", "XYZABC", "d[0..<3] i[3..<6]", false),
    // Two matched blocks next to each other: the updates of the second must not be lost.
    ("BBCB", "C1A1B1A1BC1B1", nil, false),
  ])
  func `small cases`(source: String, target: String, expected: String?, isReplaced: Bool) {
    let (source, target) = (items(source), items(target))
    let changeset = source.changeset(to: target)
    if let expected {
      var parts: [String] = []
      if !changeset.updated.isEmpty { parts.append("u\(changeset.updated.map { $0 })") }
      if !changeset.deleted.isEmpty { parts.append("d\(changeset.deleted.map { $0 })") }
      if !changeset.inserted.isEmpty { parts.append("i\(changeset.inserted.map { $0 })") }
      #expect(
        parts.joined(separator: " ").replacing("Range(", with: "").replacing(")", with: "")
          == expected)
    }
    #expect(changeset.wasReplaced == isReplaced)
    check(changeset, source, target)
  }

  @Test func `as many elements stay as can`() {
    let changeset = characters("AGDH").changeset(to: characters("CEDAFGBH"))
    #expect(changeset.deleted.map(\.count).reduce(0, +) == 1)
  }

  @Test(arguments: 1...2_000 as ClosedRange<UInt64>)
  func `applied to the source it gives the target, with the longest common order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let letters = Int.random(in: 1...12, using: &generator)
    func word() -> [Item] {
      (0..<Int.random(in: 0...14, using: &generator)).map { _ in
        Item(
          id: "\(Int.random(in: 0..<letters, using: &generator))",
          revision: Int.random(in: 0...1, using: &generator))
      }
    }
    let (source, target) = (word(), word())
    let changeset = source.changeset(to: target)
    check(changeset, source, target)
    let kept = source.count - changeset.deleted.map(\.count).reduce(0, +)
    let longest = longestCommonOrder(source.map(\.uniqueID), target.map(\.uniqueID))
    #expect(kept == longest, "seed \(seed)")
  }

  @Test func `long lists that have much in common are quick`() {
    let source = Array(0..<50_000)
    var target = source
    target.removeSubrange(20_000..<20_050)
    target.insert(contentsOf: -60..<0, at: 40_000)
    let changeset = source.changeset(to: target)
    #expect(changeset.deleted == [20_000..<20_050])
    #expect(changeset.inserted == [40_000..<40_060])
  }

  @Test func `a matcher decides what is the same and what is equal`() {
    let source = [Song(id: 1, title: "Air"), Song(id: 2, title: "Badinerie")]
    let target = [Song(id: 1, title: "AIR"), Song(id: 2, title: "Ouverture")]
    #expect(source.changeset(to: target).updated == [1..<2])
    #expect(source[0] == target[0])
    #expect(source[1] != target[1])
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `a matcher that contradicts itself does no harm`(seed: UInt64) {
    let moody = Moody(generator: Locked(SeededGenerator(seed: seed)))
    let source = (0..<Int(seed % 23)).map { _ in MoodySong(mood: moody) }
    let target = (0..<Int(seed % 17)).map { _ in MoodySong(mood: moody) }
    let changeset = source.changeset(to: target)
    let stay = source.count - changeset.deleted.joined().count
    #expect(stay == target.count - changeset.inserted.joined().count)
    #expect(changeset.step().delete.items.count == source.count - stay)
  }

  @Test func `a view that lets go of a changeset's completion is as one that was interrupted`() {
    let heard = Journal<Bool>()
    let view = LettingGoView()
    let changeset = characters("AB").changeset(to: characters("BC"))
    view.performUpdates(changeset) {
    } completion: {
      heard.note($0)
    }
    #expect(heard.entries == [false])
  }

  @Test func `a slice is a list of its own`() {
    let changeset = characters("XABC")[1...].changeset(to: characters("AC"))
    #expect(changeset.deleted == [1..<2])
    #expect(changeset.countBefore == 3)
  }

  @Test func `matches are combined from left to right`() {
    var isAsked = false
    func ask() -> Bool {
      isAsked = true
      return false
    }
    #expect((MatchResult.differentIdentity && ask()) == .differentIdentity)
    #expect((MatchResult.sameIdentityInequalValue && ask()) == .sameIdentityInequalValue)
    #expect(!isAsked)
    #expect((MatchResult.sameIdentityEqualValue && ask()) == .sameIdentityInequalValue)
    #expect(isAsked)
    #expect(MatchResult.sameIdentityCompare(1, 2) == .sameIdentityInequalValue)
    #expect(MatchResult.noIdentityCompare("a", "a") == .sameIdentityEqualValue)
    #expect(["a", "b"].changeset(to: ["b", "c"]).deleted == [0..<1])
    #expect([1, 2].changeset(to: [2, 3]).inserted == [1..<2])
    #expect([true].changeset(to: [false]).wasReplaced)
    #expect([1.5].changeset(to: [1.5]).isEmpty)
    #expect([Float(1)].changeset(to: [2]).deleted == [0..<1])
  }

  @Test func `a view performs a changeset in one batch, and a replacement by reloading`() {
    let content = Shown("ABC")
    let view = RecordingView { content.text }
    func perform(_ target: String, section: Int = 0, reloads: Bool = true) {
      let changeset = content.items.changeset(to: items(target))
      view.performUpdates(changeset, section: section, reloadForReplacements: reloads) {
        content.show(target)
      }
    }
    perform("B1CD", section: 2)
    perform("XY")
    perform("Z", reloads: false)
    perform("Z")
    #expect(
      view.journal.entries == [
        "ABC | D2.0 I2.2 R2.1 | B1CD", "reloadData XY", "XY | D0.0 D0.1 I0.0 | Z",
      ])
  }

  private final class Shown: Sendable {
    private let shown: Locked<[Item]>

    init(_ text: String) { shown = Locked(ListTestSupport.items(text)) }

    var items: [Item] { shown.withLock { $0 } }
    var text: String { ListTestSupport.text(items) }

    func show(_ text: String) { shown.withLock { $0 = ListTestSupport.items(text) } }
  }

  private func check(_ changeset: RangeChangeset, _ source: [Item], _ target: [Item]) {
    #expect(changeset.countBefore == source.count && changeset.countAfter == target.count)
    let deleted = Set(changeset.deleted.joined())
    let updated = Set(changeset.updated.joined())
    #expect(deleted.isDisjoint(with: updated))
    let kept = source.indices.filter { !deleted.contains($0) }
    for index in kept {
      guard let after = changeset.afterIndex(forBeforeIndex: index), after < target.count else {
        Issue.record("\(index) of \(source) is lost")
        return
      }
      #expect(source[index].uniqueID == target[after].uniqueID)
      #expect((source[index] != target[after]) == updated.contains(index))
    }
    #expect(kept.count + changeset.inserted.joined().count == target.count)
  }

  /// By the textbook's table.
  private func longestCommonOrder(_ source: [String], _ target: [String]) -> Int {
    var row = [Int](repeating: 0, count: target.count + 1)
    for element in source {
      var diagonal = 0
      for (index, other) in target.enumerated() {
        let above = row[index + 1]
        row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[target.count]
  }
}
