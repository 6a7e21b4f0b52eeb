import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// A letter that may occur often, with content.
private struct Letter: NonUniquelyIdentifiable, Hashable, Sendable {
  var nonUniqueID: Character
  var revision: Int

  init(_ item: Item) {
    nonUniqueID = item.uniqueID.first ?? "?"
    revision = item.revision
  }
}

private struct Word: NonUniquelyIdentifiableSection, Hashable, Sendable {
  var nonUniqueID: String
  var items: [Letter]

  init(_ section: Section) {
    nonUniqueID = section.uniqueID
    items = section.items.map(Letter.init)
  }
}

private func letters(_ text: String) -> [Letter] { items(text).map(Letter.init) }
private func words(_ text: String) -> [Word] { list(text).map(Word.init) }

private func text(_ items: [NonUniqueDatum<Letter>]) -> String {
  items.map {
    "\($0.uniqueID)\($0.rawData.revision == 0 ? "" : "'\($0.rawData.revision)")"
  }.joined(separator: " ")
}

/// Lists in which values occur more than once.
@MainActor @Suite struct NonUniqueTests {
  let queues = ManualQueues()

  private func changes(
    _ source: String, _ target: String, _ matching: OccurrenceMatching = .longestCommonOrder
  ) -> String {
    let data = NonUniqueCollectionData(
      letters(source), matching: matching, queues: queues.queues)
    let journal = Journal<String>()
    let view = SimulatorView(showing: [data])
    data.view = view
    data.update(letters(target)) { outcome in
      guard case .applied(let update) = outcome, let delta = update.delta else { return }
      journal.note(delta.steps.map(notation).joined(separator: " | "))
    }
    queues.runAll()
    #expect(data.items.map(\.rawData) == letters(target))
    #expect(Set(data.items.map(\.uniqueID)).count == data.count)
    #expect(view.faults == [])
    return journal.entries.joined()
  }

  @Test(arguments: [
    ("ABA", "BA", "D0.0"),
    ("AAB", "BAA", "M0.2>0.0"),
    ("AAA", "AA", "D0.2"),
    ("AB", "A1B", "R0.0"),
    ("ABAB", "BABA", "M0.3>0.0"),
    ("A", "AAA", "I0.1 I0.2"),
    ("ABCA", "ACBA", "M0.2>0.1"),
    ("AABB", "BB", "D0.0 D0.1"),
    ("", "AA", "I0.0 I0.1"),
  ])
  func `occurrences are matched by their longest common order`(
    source: String, target: String, steps: String
  ) {
    #expect(changes(source, target) == steps)
  }

  @Test(arguments: [
    ("ABA", "BA", "D0.2 M0.1>0.0"),
    ("AAA", "AA", "D0.2"),
    ("AB", "A1B", "R0.0"),
    ("A", "AA", "I0.1"),
  ])
  func `or by counting`(source: String, target: String, steps: String) {
    #expect(changes(source, target, .counting) == steps)
  }

  @Test(arguments: [OccurrenceMatching.longestCommonOrder, .counting])
  func `appended occurrences never have the number of another`(matching: OccurrenceMatching) {
    let data = NonUniqueCollectionData(letters("AB"), matching: matching, queues: queues.queues)
    data.append(letters("A"))
    data.append(letters("AB"))
    queues.runAll()
    #expect(text(data.items) == "A B A#2 A#3 B#2")
    data.update(letters("AB"))
    queues.runAll()
    data.append(letters("BA"))
    queues.runAll()
    #expect(text(data.items) == "A B B#2 A#2")
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `as many stay in place as can`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("ABCD".prefix(Int.random(in: 1...4, using: &generator)))
    func word() -> String {
      String(
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        })
    }
    let (source, target) = (word(), word())
    let steps = changes(source, target).split(whereSeparator: { $0 == " " || $0 == "|" })
    let kept = alphabet.reduce(0) { sum, letter in
      sum + min(source.count { $0 == letter }, target.count { $0 == letter })
    }
    let least = kept - longestCommonOrder(Array(source), Array(target))
    #expect(steps.count { $0.hasPrefix("M") } == least, "\(source) -> \(target)")
    #expect(steps.count { $0.hasPrefix("D") } == source.count - kept)
    #expect(steps.count { $0.hasPrefix("I") } == target.count - kept)
  }

  @Test(arguments: [OccurrenceMatching.longestCommonOrder, .counting])
  func `values are updated and appended at once`(matching: OccurrenceMatching) throws {
    let data = NonUniqueCollectionData(["a", "b", "a"], matching: matching)
    #expect(try data.updateNow(["b"]).changeCount == 2)
    #expect(try data.appendNow(["b", "a"]).changeCount == 2)
    #expect(data.items.map(\.rawData) == ["b", "b", "a"])
    #expect(Set(data.items.map(\.uniqueID)).count == 3)
    let sections = NonUniqueCollectionSectionData(words("x:AA"), matching: matching)
    try sections.updateNow(words("x:A x:A"))
    #expect(sections.sections.map { "\($0.uniqueID)" } == ["x", "x#2"])
  }

  @Test func `an occurrence can move from one section to another`() {
    let data = NonUniqueCollectionSectionData(words("x:ABA y:B"), queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    let journal = Journal<String>()
    let hear: @Sendable (UpdateOutcome) -> Void = { outcome in
      guard case .applied(let update) = outcome, let delta = update.delta else { return }
      journal.note(delta.steps.map(notation).joined(separator: " | "))
    }
    data.update(words("x:BA y:BA"), completion: hear)
    queues.runAll()
    data.append(words("x:A"), completion: hear)
    queues.runAll()
    data.update(words("x:A x:BA"), completion: hear)
    queues.runAll()
    #expect(journal.entries == ["M0.0>1.1", "IS2", "DS1 M0.0>1.0"])
    #expect(view.faults == [])
    #expect(data.sections.map { "\($0.uniqueID)" } == ["x", "x#2"])
    #expect(data.sections.map { text($0.items) } == ["A#2", "B A#3"])
    #expect(data.sections.map { $0.items.map(\.rawData) } == words("x:A x:BA").map(\.items))
  }

  @Test func `building occurrences anew leaves edits as they are`() {
    let data = NonUniqueCollectionSectionData(words("x:ABA y:B"), queues: queues.queues)
    data.moveItem(
      OccurrenceID(id: "A", occurrence: 1), to: .last(in: .init(id: "y", occurrence: 1)))
    data.rebuild()
    queues.runAll()
    #expect(data.sections.map { text($0.items) } == ["B A#2", "B#2 A"])
  }

  @Test func `many equal values are matched in time`() {
    let data = NonUniqueCollectionData(
      [String](repeating: "a", count: 5_000), queues: queues.queues)
    let more = [String](repeating: "a", count: 2_500) + ["b"]
    data.update(more + more)
    queues.runAll()
    #expect(data.count == 5_002)
    #expect(Set(data.items.map(\.uniqueID)).count == 5_002)
  }

  /// By the textbook's table.
  private func longestCommonOrder(_ source: [Character], _ target: [Character]) -> Int {
    var row = [Int](repeating: 0, count: target.count + 1)
    for letter in source {
      var diagonal = 0
      for (index, other) in target.enumerated() {
        let above = row[index + 1]
        row[index + 1] = letter == other ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[target.count]
  }
}
