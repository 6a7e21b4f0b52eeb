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
          check(window, version, after: nil, bench)
        }
      }
    }
  }

  @Test func `around stands at the item, or at the nearest survivor`() throws {
    var bench = ViewBench()
    let windows = ["a", "b", "c", "d", "e"].flatMap { id in
      [(0, 0), (1, 0), (0, 2), (1, 1), (5, 5)].map {
        ViewWindow.around(Array(id.utf8), before: $0.0, after: $0.1)
      }
    }
    for states in Self.lists(4) {
      let version = try version(states, &bench)
      for window in windows { check(window, version, after: nil, bench) }
    }
  }

  @Test func `around an item that is gone stands near where it was`() throws {
    var bench = ViewBench()
    // Where a window stands does not depend on how much it shows.
    let windows = ["a", "b", "c"].map { ViewWindow.around(Array($0.utf8), before: 1, after: 0) }
    let versions = try Self.lists(3).map { try version($0, &bench) }
    for version in versions {
      for held in versions {
        for window in windows { check(window, version, after: held, bench) }
      }
    }
  }

  struct Version {
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
  private func version(_ states: [State], _ bench: inout ViewBench) throws -> Version {
    let present = states.enumerated().filter { $0.element != .absent }.map { index, state in
      let id = String(UnicodeScalar(UInt8(97 + index)))
      return (index: index, id: id, text: #"{"id":"\#(id)","s":\#(state.rawValue)}"#)
    }
    let sections = [
      ("A", present.filter { $0.index < 2 }),
      ("B", Array(present.filter { $0.index >= 2 }.reversed())),
    ]
    let fast = try bench.version(sections.map { ($0.0, $0.1.map(\.text)) })
    let view = try Self.oracle.restricting(ViewQuery(Self.oracle.parameters(nil)).view)
    let viewed = try #require(bench.viewed(fast, CompiledView(view, bench.settings)))
    let slow = sections.map { section in
      ViewOracle.Section(
        id: section.0,
        items: section.1.map { .init(id: $0.id, tree: JSONTree(Array($0.text.utf8))) })
    }
    return Version(slow: slow, fast: viewed)
  }

  private func check(
    _ window: ViewWindow, _ version: Version, after held: Version?, _ bench: ViewBench
  ) {
    let run = version.fast.run(window, after: held?.fast)
    let expected = SlowWindow(Self.oracle, version.slow, window, after: held?.slow)
    let anchor = run.anchor.map(bench.text)
    let isRight =
      run.total == expected.total && run.start == expected.start && run.count == expected.count
      && anchor == expected.anchor
    if isRight { return }
    Issue.record(
      "\(window) of \(version.slow.map { $0.items.map { "\($0.tree)" } }): \(run), not \(expected)")
  }
}
