import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// All windows on all small lists.
@Suite struct WindowTests {
  /// Each item is absent, hidden by what is imposed, filtered out, or in the view.
  enum State: Int, CaseIterable { case absent, hidden, out, shown }

  static func lists(_ count: Int) -> [[State]] {
    (0..<1 << (2 * count)).map { number in
      (0..<count).map { State.allCases[number >> (2 * $0) & 3] }
    }
  }

  @Test func `first, last and at show what there is`() throws {
    var bench = ViewBench()
    for states in Self.lists(4) {
      let version = try version(states, &bench)
      for size in 0...5 {
        for window in [.first(size), .last(size)] + (1...5).map({ ViewWindow.at($0, size) }) {
          try check(window, version, after: nil, bench)
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `around stands at the item, or at the first one`(isOrdered: Bool) throws {
    var bench = ViewBench()
    let windows = ["a", "b", "c", "d", "e"].flatMap { id in
      [(0, 0), (1, 0), (0, 2), (1, 1), (5, 5)].map {
        ViewWindow.around(Array(id.utf8), before: $0.0, after: $0.1)
      }
    }
    for states in Self.lists(4) {
      let version = try version(states, &bench, isOrdered: isOrdered)
      for window in windows { try check(window, version, after: nil, bench) }
    }
  }

  @Test(arguments: [false, true])
  func `around an item that is gone stands near where it was in the view of the reader's version`(
    isOrdered: Bool
  ) throws {
    var bench = ViewBench()
    // Where a window stands does not depend on how much it shows.
    let windows = ["a", "b", "c"].map { ViewWindow.around(Array($0.utf8), before: 1, after: 0) }
    let versions = try Self.lists(3).map { try version($0, &bench, isOrdered: isOrdered) }
    for version in versions {
      for held in versions {
        for window in windows { try check(window, version, after: held, bench) }
      }
    }
  }

  struct Around: Sendable {
    /// The reader's list and the new one: ids in the collection's order, each with its `n`; hidden are those without.
    var held: [(id: String, n: Int?)]
    var list: [(id: String, n: Int?)]
    var anchor: String
    var shown: [String]

    init(
      _ held: KeyValuePairs<String, Int?>, _ list: KeyValuePairs<String, Int?>, _ anchor: String,
      _ shown: [String]
    ) {
      self.held = held.map { ($0.key, $0.value) }
      self.list = list.map { ($0.key, $0.value) }
      (self.anchor, self.shown) = (anchor, shown)
    }
  }

  /// The window is `around:x:1:1` of an order by `n`; `x` is second, after `a`.
  @Test(arguments: [
    // It left the view, and is still in the collection; it was deleted.
    Around(
      ["a": 1, "b": 9, "x": 2, "c": 3, "d": 4], ["a": 1, "b": 9, "x": nil, "c": 3, "d": 4], "a",
      ["a", "c"]),
    Around(
      ["a": 1, "b": 9, "x": 2, "c": 3, "d": 4], ["a": 1, "b": 9, "c": 3, "d": 4], "a", ["a", "c"]),
    // The nearest before it that survives may have moved.
    Around(
      ["a": 1, "b": 9, "x": 2, "c": 3, "d": 4], ["a": 7, "b": 9, "c": 3, "d": 4], "a",
      ["d", "a", "b"]),
    // None before it survives, then none at all.
    Around(["a": 1, "x": 2, "c": 3, "d": 4], ["c": 3, "d": 2, "x": nil], "c", ["d", "c"]),
    Around(["a": 1, "x": 2, "c": 3], ["p": 1, "q": 2, "r": 3], "q", ["p", "q", "r"]),
    Around(["a": 1, "x": 2, "c": 3], ["p": 1], "p", ["p"]),
    // It is in the view, wherever it is now.
    Around(["a": 1, "x": 2, "c": 3, "d": 4], ["a": 1, "x": 5, "c": 3, "d": 4], "x", ["d", "x"]),
    // The reader's version did not show it.
    Around(
      ["b": 9, "x": nil, "c": 3, "d": 4], ["b": 9, "x": nil, "c": 3, "d": 4], "c", ["c", "d"]),
    Around(["b": 9, "c": 3, "d": 4], ["b": 9, "c": 3, "d": 4, "x": nil], "c", ["c", "d"]),
  ])
  func `a window around an item stays in place by the order of the view`(_ row: Around) throws {
    var bench = ViewBench()
    let query = try ViewQuery([
      ("where", "/n:exists"), ("order", "/n:number"), ("window", "around:x:1:1"),
    ])
    let view = CompiledView(query.view, bench.settings)
    let versions = try [row.held, row.list].map { list in
      try bench.version([
        ("s", list.map { #"{"id":"\#($0.id)"\#($0.n.map { #","n":\#($0)"# } ?? "")}"# })
      ])
    }
    let (held, new) = (
      try #require(try bench.viewed(versions[0], view)),
      try #require(try bench.viewed(versions[1], view))
    )
    let run = try #require(try new.run(query.window, after: held))
    #expect(run.anchor.map(bench.text) == row.anchor)
    let list = try #require(try view.list(run, of: new, bench.reader))
    #expect(list.sections.flatMap(\.items).map { bench.text($0.uniqueID) } == row.shown)
  }

  struct Version {
    var oracle: ViewOracle
    var slow: [ViewOracle.Section]
    var fast: ViewedVersion
  }

  private static let oracle: ViewOracle = {
    var oracle = ViewOracle()
    oracle.terms = [.init(pointer: "/s", name: "eq", values: [.plain("3")])]
    oracle.imposedTerms = [.init(pointer: "/s", name: "gt", values: [.plain("1")])]
    return oracle
  }()

  /// A version with two items a section, the second half of them in the other order.
  private func version(
    _ states: [State], _ bench: inout ViewBench, isOrdered: Bool = false
  ) throws -> Version {
    var oracle = Self.oracle
    if isOrdered {
      oracle.order = [.init(pointer: "/k", isDescending: false, kind: "number")]
      oracle.sections = "flat"
    }
    let present = states.enumerated().filter { $0.element != .absent }.map { index, state in
      let id = String(UnicodeScalar(UInt8(97 + index)))
      let text = #"{"id":"\#(id)","s":\#(state.rawValue),"k":\#(3 * index % 4)}"#
      return (index: index, id: id, text: text)
    }
    let sections = [
      ("A", present.filter { $0.index < 2 }),
      ("B", Array(present.filter { $0.index >= 2 }.reversed())),
    ]
    let fast = try bench.version(sections.map { ($0.0, $0.1.map(\.text)) })
    let view = try oracle.restricting(ViewQuery(oracle.parameters(nil)).view)
    let viewed = try #require(try bench.viewed(fast, CompiledView(view, bench.settings)))
    let slow = sections.map { section in
      ViewOracle.Section(
        id: section.0,
        items: section.1.map { .init(id: $0.id, tree: JSONTree(Array($0.text.utf8))) })
    }
    return Version(oracle: oracle, slow: slow, fast: viewed)
  }

  private func check(
    _ window: ViewWindow, _ version: Version, after held: Version?, _ bench: ViewBench
  ) throws {
    guard let run = try version.fast.run(window, after: held?.fast) else {
      Issue.record("\(window): unknown")
      return
    }
    let expected = SlowWindow(version.oracle, version.slow, window, after: held?.slow)
    let anchor = run.anchor.map(bench.text)
    let isRight =
      run.total == expected.total && run.start == expected.start && run.count == expected.count
      && anchor == expected.anchor
    if isRight { return }
    Issue.record(
      "\(window) of \(version.slow.map { $0.items.map { "\($0.tree)" } }): \(run), not \(expected)")
  }
}
