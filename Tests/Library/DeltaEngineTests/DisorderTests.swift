import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// Lists in which hardly anything lines up.
@Suite struct DisorderTests {
  @Test(arguments: [0, 1, 5, 20, 60, 100])
  func `survivors among strangers are found and moved as little as can be`(percent: Int) throws {
    var generator = SeededGenerator(seed: UInt64(31 + percent))
    for count in [127, 128, 300, 2_000] {
      let source = (0..<count).map { Numbered(id: $0 &* 7_919_317) }
      var target = source.shuffled(using: &generator)
      for index in target.indices where Int.random(in: 0..<100, using: &generator) >= percent {
        target[index] = Numbered(id: -1 - index &* 104_729)
      }
      for index in target.indices where index % 7 == 0 { target[index].revision = 1 }
      try expectLawful(source, target, "\(percent) % of \(count)")
    }
  }

  @Test(arguments: [40, 300, 1_200, 9_000])
  func `riffled lists move as little as can be`(count: Int) throws {
    let source = (0..<count).map { Numbered(id: $0 &* 7_919) }
    for ways in [2, 3, 17] {
      let target = (0..<ways).flatMap { way in
        source.enumerated().filter { $0.offset % ways == way }
      }
      try expectLawful(source, target.map(\.element), "\(count) in \(ways), dealt")
      let riffled = source.indices.sorted { ($0 * ways % count, $0) < ($1 * ways % count, $1) }
      try expectLawful(source, riffled.map { source[$0] }, "\(count) in \(ways), riffled")
    }
  }

  @Test(arguments: [1, 2, 3])
  func `runs in both directions move as little as can be`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let source = (0..<3_000).map { Numbered(id: $0 &* 7_919) }
    var runs: [[Numbered]] = []
    var start = 0
    while start < source.count {
      let end = min(source.count, start + Int.random(in: 1...90, using: &generator))
      let run = Array(source[start..<end])
      runs.append(Bool.random(using: &generator) ? run : run.reversed())
      start = end
    }
    try expectLawful(source, runs.shuffled(using: &generator).flatMap(\.self), "seed \(seed)")
    try expectLawful(source, source.reversed(), "reversed")
  }

  @Test(arguments: [7, 8])
  func `ids of text among strangers are matched by what they spell`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // Composed in one version and decomposed in the other; long, short, ASCII and not.
    let source = (0..<400).map { Item(id: $0 % 3 == 0 ? "caf\u{E9}-number-\($0)" : "row \($0)") }
    var target = source.map { Item(id: $0.id.replacing("\u{E9}", with: "e\u{301}")) }
    target.shuffle(using: &generator)
    for index in target.indices where index % 2 == 0 { target[index] = Item(id: "new \(index)") }
    let delta = try Delta(fromItems: source, toItems: target)
    let sections = (Section(id: "s", items: source), Section(id: "s", items: target))
    try Simulator.check(delta, from: [sections.0], to: [sections.1])
    #expect(delta.changes.insertedItems.count == 200)
  }

  private func expectLawful(_ source: [Numbered], _ target: [Numbered], _ place: String) throws {
    let sections = [source, target].map { [NumberedSection(diffID: 0, items: $0)] }
    for uniqueness in [Uniqueness.checked, .promised] {
      let delta = try Delta(fromItems: source, toItems: target, uniqueness: uniqueness)
      do {
        try Simulator.check(delta, from: sections[0], to: sections[1])
      } catch {
        Issue.record("\(place): \(error)")
      }
    }
  }
}
