import DeltaEngine
import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// Views of random versions against the oracle; each seed is an argument.
@Suite struct ViewPropertyTests {
  /// One version in both worlds.
  struct Both {
    var slow: [ViewOracle.Section]
    var fast: ViewableVersion
  }

  @Test(arguments: 1...(UInt64(rounds(1000)))) func `a view shows what the contract says`(
    seed: UInt64
  ) throws {
    var random = RandomViews(seed: seed)
    var bench = ViewBench()
    if random.chance(30) { bench.settings.equalityIgnored = [JSONPointer(tokens: ["n"])] }
    if random.chance(50) { bench.settings.identity = .occurrence }
    var versions: [Both] = []
    var sections = random.version()
    for _ in 0..<4 {
      let isRepeating = bench.settings.identity == .occurrence
      versions.append(try both(isRepeating ? random.repeating(sections) : sections, &bench))
      sections = random.next(sections)
    }
    // As in a service, all views share what changed, and the values that they ask for.
    let changes = zip(versions, versions.dropFirst()).map {
      ViewChanges(from: $0.fast, to: $1.fast)
    }
    for _ in 0..<10 {
      let oracle = random.view()
      let window = random.window()
      var query = try ViewQuery(oracle.parameters(window))
      query.view = try oracle.restricting(query.view)
      let check = ViewCheck(
        oracle: oracle, query: query, view: CompiledView(query.view, bench.settings), bench: bench)
      try check.run(
        versions, changes, "seed \(seed): \(String(decoding: query.canonicalText, as: UTF8.self))")
    }
  }

  private func both(_ sections: RandomViews.Sections, _ bench: inout ViewBench) throws -> Both {
    Both(
      slow: sections.map { section in
        .init(
          id: section.id,
          items: section.items.map { .init(id: $0.id, tree: JSONTree(Array($0.text.utf8))) })
      },
      fast: try bench.version(sections.map { ($0.id, $0.items.map(\.text)) }))
  }
}

/// Checks one view on some versions.
struct ViewCheck {
  let oracle: ViewOracle
  let query: ViewQuery
  let view: CompiledView
  let bench: ViewBench

  func run(
    _ versions: [ViewPropertyTests.Both], _ changes: [ViewChanges], _ comment: String
  ) throws {
    let comment = Comment(rawValue: comment)
    var last:
      (
        version: [ViewOracle.Section], slow: SlowWindow, viewed: ViewedVersion, run: ViewRun,
        list: ViewedList
      )?
    for (index, version) in versions.enumerated() {
      let members = try #require(try view.members(of: version.fast, bench.reader), comment)
      let viewed = ViewedVersion(version.fast, members, idPath: .id)
      if let last {
        let moved = try view.members(
          last.viewed.members, changedBy: changes[index - 1], to: version.fast, bench.reader)
        #expect(moved == members, comment)
      }
      let run = try #require(try viewed.run(query.window, after: last?.viewed), comment)
      let list = try #require(try view.list(run, of: viewed, bench.reader), comment)
      let expected = SlowWindow(oracle, version.slow, query.window, after: last?.version)
      compare(list, expected, comment)
      if let last {
        try compare(last.list, last.run, last.viewed, list, viewed, last.slow, expected, comment)
        try compareDepartures(
          (last.list, last.slow), (list, expected), viewed, of: version.slow, comment)
      }
      last = (version.slow, expected, viewed, run, list)
    }
  }

  private func compare(_ list: ViewedList, _ expected: SlowWindow, _ comment: Comment) {
    #expect(list.run.total == expected.total, comment)
    #expect(list.run.start == expected.start, comment)
    #expect(list.run.count == expected.count, comment)
    #expect(list.anchor.map { String(decoding: $0, as: UTF8.self) } == expected.anchor, comment)
    let sections = list.sections.map { section in
      "\(text(section.uniqueID, list)): \(section.items.map { text($0.uniqueID, list) })"
    }
    #expect(sections == expected.sections.map { "\($0.id): \($0.items.map(\.id))" }, comment)
    #expect(list.parts.map { [$0.start, $0.total] } == expected.parts, comment)
    let texts = (0..<list.contents.itemCount).map {
      JSONTree(Array(list.contents.item(at: $0))).description
    }
    let shown = expected.sections.flatMap(\.items).map { oracle.shown($0).tree.description }
    #expect(texts == shown, comment)
    for (index, section) in expected.sections.enumerated() {
      let header = String(decoding: list.contents.header(ofSection: index), as: UTF8.self)
      if section.id.isEmpty {
        #expect(header == #"{"id":""}"#, comment)
      } else {
        #expect(header.hasPrefix(#"{"id":"\#(section.id.prefix(1))"#), comment)
      }
    }
  }

  private func text(_ id: UInt32, _ list: ViewedList) -> String {
    String(decoding: list.ids.text(id), as: UTF8.self)
  }

  /// Compares the changes between two lists.
  private func compare(
    _ old: ViewedList, _ oldRun: ViewRun, _ oldViewed: ViewedVersion, _ new: ViewedList,
    _ newViewed: ViewedVersion, _ oldSlow: SlowWindow, _ newSlow: SlowWindow, _ comment: Comment
  ) throws {
    let ignoresNumber = !bench.settings.equalityIgnored.isEmpty
    func contents(_ slow: SlowWindow) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: slow.sections.flatMap(\.items).map { item in
          let tree = oracle.shown(item).tree
          return (item.id, (ignoresNumber ? tree.without("n") : tree).text)
        })
    }
    func items(_ list: ViewedList) -> [String: ContentHash] {
      let items = list.sections.flatMap(\.items)
      return Dictionary(uniqueKeysWithValues: items.map { (text($0.uniqueID, list), $0.content) })
    }
    let (oldItems, newItems) = (items(old), items(new))
    let (before, after) = (contents(oldSlow), contents(newSlow))
    for (id, hash) in newItems {
      guard let oldHash = oldItems[id] else { continue }
      #expect((hash == oldHash) == (before[id] == after[id]), "\(comment) \(id)")
    }
    let delta = try? Delta(from: old.sections, to: new.sections)
    #expect(
      delta.map { $0.violation(from: old.sections, to: new.sections) == nil } ?? false, comment)
    let isSame = try view.isSame(oldViewed, oldRun, newViewed, new.run, bench.reader)
    #expect(
      isSame == (old.run == new.run && old.parts == new.parts && old.sections == new.sections),
      comment)
  }

  /// Compares what becomes of the items that are in one list and not in the next.
  private func compareDepartures(
    _ old: (list: ViewedList, slow: SlowWindow), _ new: (list: ViewedList, slow: SlowWindow),
    _ viewed: ViewedVersion, of version: [ViewOracle.Section], _ comment: Comment
  ) throws {
    let departures = try view.departures(from: old.list, to: new.list, of: viewed)
    let allowed = Set(version.flatMap(\.items).filter(oracle.isAllowed).map(\.id))
    let isImposed = !oracle.imposedTerms.isEmpty || oracle.imposedSelection != nil
    let kept = Set(new.slow.sections.flatMap(\.items).map(\.id))
    let gone = old.slow.sections.flatMap(\.items).map(\.id).filter { !kept.contains($0) }
    let left = Set(
      gone.filter { id in
        guard let sent = old.slow.sentIDs[id] else { return false }
        return allowed.contains(sent) && (id == sent || !isImposed)
      })
    #expect(
      departures.deleted.map { text($0, new.list) } == gone.filter { !left.contains($0) }, comment)
    #expect(departures.left.map { text($0, new.list) } == gone.filter(left.contains), comment)
  }
}
