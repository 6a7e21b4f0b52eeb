import DeltaEngine
import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// Changes that do not touch a view, against the view of both versions from scratch; each seed is an argument.
@Suite struct TouchedItemsTests {
  @Test(arguments: 1...(UInt64(rounds(1000))))
  func `a view that no item of a change is in shows the same of both versions`(
    seed: UInt64
  ) throws {
    var random = RandomViews(seed: seed)
    let chain = try Chain(&random, isRepeating: random.chance(50))
    for _ in 0..<20 {
      let oracle = random.view()
      var query = try ViewQuery(oracle.parameters(random.window()))
      query.view = try oracle.restricting(query.view)
      let view = CompiledView(query.view, chain.bench.settings)
      for (index, touched) in chain.touched.enumerated() {
        guard let touched, !touched.mayTouch(query, chain.bench.reader) else { continue }
        let text = String(decoding: query.canonicalText, as: UTF8.self)
        let comment = Comment(rawValue: "seed \(seed), \(index): \(text)")
        let old = try #require(try chain.bench.viewed(chain.versions[index], view), comment)
        let new = try #require(try chain.bench.viewed(chain.versions[index + 1], view), comment)
        let oldRun = try #require(try old.run(query.window), comment)
        // A window around an item that is not in the view is looked at anew.
        if oldRun.isExact {
          let newRun = try #require(try new.run(query.window, after: old), comment)
          let lists = (
            try #require(try view.list(oldRun, of: old, chain.bench.reader), comment),
            try #require(try view.list(newRun, of: new, chain.bench.reader), comment)
          )
          #expect(oldRun == newRun && lists.0.parts == lists.1.parts, comment)
          #expect(lists.0.sections == lists.1.sections, comment)
        }
        if touched.changes.isInPlace {
          #expect(old.members == new.members, comment)
        } else if old.members.order == nil {
          #expect(old.members.kept(by: touched.changes) == new.members, comment)
        }
      }
    }
  }

  @Test func `most views are not touched by a change of one item`() throws {
    var random = RandomViews(seed: 7)
    var (touchedCount, count) = (0, 0)
    for _ in 0..<200 {
      let chain = try Chain(&random)
      for touched in chain.touched.compactMap(\.self) {
        var query = ViewQuery()
        while query.view.terms.isEmpty { query = try ViewQuery(random.view().parameters(nil)) }
        touchedCount += touched.mayTouch(query, chain.bench.reader) ? 1 : 0
        count += 1
      }
    }
    #expect(count > 100)
    #expect((count / 10..<count * 9 / 10).contains(touchedCount), "\(touchedCount) of \(count)")
  }

  @Test(arguments: 1...(UInt64(rounds(300))))
  func `what is made from versions in between is what they give`(seed: UInt64) throws {
    var random = RandomViews(seed: seed)
    var chain = try Chain(&random, changes: 0)
    for _ in 0..<5 { try chain.reload(&random) }
    let touched = chain.touched.compactMap(\.self)
    guard touched.count == 5, touched.allSatisfy(\.keepsIDs) else { return }
    let last = chain.versions[5]
    let joined = ViewChanges(joining: touched.map(\.changes))
    let placed = touched.indices.reduce(chain.versions[0]) { older, index in
      let version = chain.versions[index + 1]
      return ViewableVersion(
        sections: version.sections, ids: version.ids, contents: version.contents, placedAs: older)
    }
    for _ in 0..<10 {
      let oracle = random.view()
      let query = try ViewQuery(oracle.parameters(nil))
      let view = CompiledView(query.view, chain.bench.settings)
      let comment = Comment(
        rawValue: "seed \(seed): \(String(decoding: query.canonicalText, as: UTF8.self))")
      let first = try #require(try view.members(of: chain.versions[0], chain.bench.reader))
      let members = try #require(try view.members(of: last, chain.bench.reader))
      #expect(try view.members(of: placed, chain.bench.reader) == members, comment)
      #expect(
        try view.members(first, changedBy: joined, to: placed, chain.bench.reader) == members,
        comment)
    }
  }
}

extension TouchedItemsTests {
  @Test(arguments: [(64, 1, true), (65, 1, false), (2, 4000, true), (2, 4100, false)])
  func `what a change of many or of large items touches is not told`(
    count: Int, byteCount: Int, isTold: Bool
  ) throws {
    var bench = ViewBench()
    func version(_ text: String) throws -> ViewableVersion {
      let text = String(repeating: text, count: byteCount)
      return try bench.version([("A", (0..<count).map { #"{"id":"i\#($0)","t":"\#(text)"}"# })])
    }
    let (older, newer) = (try version("a"), try version("b"))
    let delta = try Delta(from: older.sections, to: newer.sections)
    let touched = TouchedItems(
      delta, try VersionComparison(delta, from: older.sections, to: newer.sections),
      from: (older.sections, older.contents), to: (newer.sections, newer.contents))
    #expect((touched != nil) == isTold)
  }
}

/// Random versions, each made from the one before by a small change.
private struct Chain {
  var bench = ViewBench()
  var versions: [ViewableVersion] = []
  /// What each change touches; nil if that is not told.
  var touched: [TouchedItems?] = []
  private var sections: RandomViews.Sections

  init(_ random: inout RandomViews, changes: Int = 4, isRepeating: Bool = false) throws {
    if isRepeating { bench.settings.identity = .occurrence }
    sections = random.version()
    versions = [try bench.version(sections.map { ($0.id, $0.items.map(\.text)) })]
    for _ in 0..<changes {
      if random.chance(50) {
        try reload(&random)
      } else {
        try append(random.next(sections), &random)
      }
    }
  }

  /// Changes the contents of one item.
  mutating func reload(_ random: inout RandomViews) throws {
    var next = sections
    let filled = next.indices.filter { !next[$0].items.isEmpty }
    if filled.isEmpty {
      next[0].items.append(("i1", random.item("i1")))
    } else {
      let section = random.pick(filled)
      let index = random.pick(Array(next[section].items.indices))
      next[section].items[index].text = random.item(next[section].items[index].id)
    }
    try append(next, &random)
  }

  private mutating func append(
    _ next: RandomViews.Sections, _ random: inout RandomViews
  ) throws {
    sections = next
    let older = versions[versions.count - 1]
    let list = bench.settings.identity == .occurrence ? random.repeating(next) : next
    let newer = try bench.version(list.map { ($0.id, $0.items.map(\.text)) })
    let delta = try Delta(from: older.sections, to: newer.sections)
    touched.append(
      TouchedItems(
        delta, try VersionComparison(delta, from: older.sections, to: newer.sections),
        from: (older.sections, older.contents), to: (newer.sections, newer.contents)))
    versions.append(newer)
  }
}
