import DeltaEngine
import LiveCollections
import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// What is remembered of views over random writes of every kind, against views of the same versions from scratch.
@Suite struct ViewedWritesTests {
  @Test(arguments: 1...(UInt64(rounds(600))))
  func `what is remembered of views is what their versions show`(seed: UInt64) throws {
    var writes = try RandomWrites(seed: seed)
    let views = try (0..<6).map { _ in try writes.query() }
    for step in 0..<25 {
      try writes.write()
      for query in views {
        let text = String(decoding: query.canonicalText, as: UTF8.self)
        try writes.check(query, "seed \(seed), \(step): \(text)")
      }
    }
  }

  @Test func `changes of all kinds are known to miss views`() throws {
    var (missedCount, movedCount) = (0, 0)
    for seed in 1...30 as ClosedRange<UInt64> {
      var writes = try RandomWrites(seed: seed)
      let views = try (0..<6).map { _ in try writes.query() }
      for _ in 0..<25 {
        let before = writes.state
        try writes.write()
        for query in views where writes.state.record.seq == before.record.seq + 1 {
          _ = try writes.viewed(query, before, before.record)
          guard writes.state.showsSame(query, as: before.record, writes.reader) else { continue }
          missedCount += 1
          movedCount += before.contents.itemCount == writes.state.contents.itemCount ? 0 : 1
        }
      }
    }
    #expect(missedCount > 300 && movedCount > 100, "\(missedCount), \(movedCount)")
  }
}

/// A collection to which random writes are made, and all that readers may still compare it with.
private struct RandomWrites {
  let reader = JSONReader()
  private var random: RandomViews
  private(set) var state: CollectionState
  /// The collection as it was, as answers that are still being made have it.
  private var copies: [CollectionState] = []
  /// Each version as it was when it was the head, by its number.
  private var versions: [Int: ViewableVersion] = [:]
  private var list: RandomViews.Sections
  private var meta = 0
  /// Whether ids repeat.
  private let isRepeating: Bool
  private let preparation = WritePreparation(
    reader: JSONReader(), limits: ServiceLimits(), date: 1_750_000_000)

  init(seed: UInt64) throws {
    random = RandomViews(seed: seed)
    isRepeating = random.chance(50)
    list = random.version()
    if isRepeating { list = random.repeating(list) }
    let first = preparation.prepare(
      Write(name: name("a"), change: .put(body: Self.body(list, meta, isRepeating))),
      .init(head: nil, state: nil, lineage: "lineage", room: 1))
    guard case .create(let state, _) = first.effect else { throw UnexpectedWrite(first) }
    self.state = state
    note()
  }

  private struct UnexpectedWrite: Error {
    let text: String
    init(_ write: PreparedWrite) { text = "\(write.result)" }
  }

  mutating func query() throws -> ViewQuery {
    let oracle = random.view()
    var query = try ViewQuery(oracle.parameters(random.window()))
    query.view = try oracle.restricting(query.view)
    return query
  }

  // MARK: Writes

  mutating func write() throws {
    if random.chance(30) { copies = copies.suffix(2) + [state] }
    var write = Write(name: name("a"), change: change())
    if case .revert = write.change {
      write.target = copies.last.map { .success(.init($0, $0.record)) }
    }
    let prepared = preparation.prepare(
      write, .init(head: state.token, state: state, lineage: "lineage", room: 1))
    switch prepared.effect {
    case .update(let version):
      guard state.data.commit(version.update) else { throw UnexpectedWrite(prepared) }
      var retention = Retention()
      retention.versionsMax = 8
      state.take(version, retention: retention, now: 0, keepsDelta: !random.chance(5))
    case .configure(let settings): state.take(settings)
    // Random ids may be the names of others.
    case .none where prepared.failure == nil || isRepeating: break
    default: throw UnexpectedWrite(prepared)
    }
    note()
  }

  private mutating func note() {
    versions[state.record.seq] = ViewableVersion(
      sections: state.sections, ids: state.ids, contents: state.contents)
    list = state.sections.map { section in
      (
        state.text(section.uniqueID),
        section.items.map { (state.text($0.uniqueID), "") }
      )
    }
    var flat = 0
    for section in list.indices {
      for item in list[section].items.indices {
        list[section].items[item].text = String(
          decoding: state.contents.item(at: flat), as: UTF8.self)
        flat += 1
      }
    }
  }

  private mutating func change() -> WriteRequest.Change {
    let items = list.flatMap(\.items)
    guard let item = items.isEmpty ? nil : random.pick(items) else {
      return .put(body: Self.body(random.version(), meta))
    }
    switch random.pick(Array(0..<20)) {
    case 0..<4:
      let next = random.next(list)
      return .put(body: Self.body(isRepeating ? random.repeating(next) : next, meta))
    case 4:
      meta += 1
      return .put(body: Self.body(list, meta))
    case 5: return .put(body: Self.body(respelled(), meta))
    case 6: return settings()
    case 7: return edit(#"{"op":"reload","ids":["\#(item.id)"]}"#)
    case 8:
      return edit(
        #"{"op":"updateSection","id":"\#(list[0].id)","value":{"u":\#(random.scalar())}}"#)
    case 9, 10:
      let other = random.pick(items).id
      return edit(
        other == item.id
          ? #"{"op":"delete","ids":["\#(item.id)"]}"#
          : #"{"op":"move","ids":["\#(item.id)"],"before":"\#(other)"}"#)
    case 11: return edit(#"{"op":"delete","ids":["\#(item.id)"]}"#)
    case 12:
      let id = "i\(random.pick(Array(1...30)))"
      return edit(
        #"{"op":"upsert","section":"\#(list[0].id)","at":0,"items":[\#(random.item(id))]}"#)
    case 13:
      guard let copy = copies.last, state.history[copy.record.seq] != nil else { fallthrough }
      return .revert(body: [])
    default:
      return edit(#"{"op":"merge","id":"\#(item.id)","value":{"n":\#(random.scalar())}}"#)
    }
  }

  /// The same list, whose items have their members in another order, and other texts of equal numbers.
  private mutating func respelled() -> RandomViews.Sections {
    list.map { section in
      let items = section.items.map { item in
        (item.id, item.text.replacing(":1,", with: ":1.0,").replacing(":2}", with: ":2e0}"))
      }
      return (section.id, items)
    }
  }

  private mutating func settings() -> WriteRequest.Change {
    let text = random.pick([
      #"{"equality":{"ignore":["/n"]}}"#, #"{"equality":{"ignore":[]}}"#,
      #"{"emptySections":"drop"}"#, #"{"emptySections":"keep"}"#,
    ])
    return .settings(body: Array(text.utf8), isPatch: true)
  }

  private func edit(_ edit: String) -> WriteRequest.Change {
    .edit(body: Array(#"{"edits":[\#(edit)]}"#.utf8))
  }

  private static func body(
    _ sections: RandomViews.Sections, _ meta: Int, _ isRepeating: Bool = false
  ) -> [UInt8] {
    let texts = sections.map { section in
      let items = section.items.map(\.text).joined(separator: ",")
      return #"{"id":"\#(section.id)","title":"T","items":[\#(items)]}"#
    }
    let settings = isRepeating ? #""settings":{"identity":"occurrence"},"# : ""
    let text = #"{\#(settings)"meta":\#(meta),"sections":[\#(texts.joined(separator: ","))]}"#
    return Array(text.utf8)
  }

  // MARK: Views

  func viewed(
    _ query: ViewQuery, _ state: CollectionState, _ record: VersionRecord
  ) throws(WorkStop) -> ViewedVersion? {
    try state.viewed(CompiledView(query.view, state.settings), at: record, nil, reader)
  }

  /// Compares what a view shows of random versions, as now and as an answer that is being made has it.
  mutating func check(_ query: ViewQuery, _ comment: String) throws {
    for state in [state] + (copies.isEmpty ? [] : [random.pick(copies)]) {
      let record = try #require(state.history[random.pick(Array(state.retainedSeqs))])
      let (fast, slow) = (try viewed(query, state, record), try slow(query, state, record))
      if let fast { try compare(fast, slow, query, state, comment) }
      #expect(fast != nil || record.seq != state.record.seq, "\(comment)")
      if state.showsSame(query, as: record, reader) {
        try compareSame(slow, try self.slow(query, state, state.record), query, state, comment)
      }
      if random.chance(70) {
        let head = try #require(try viewed(query, state, state.record), "\(comment)")
        try compare(head, try self.slow(query, state, state.record), query, state, comment)
      }
    }
  }

  /// What a view shows of a version as it was when it was the head.
  private func slow(
    _ query: ViewQuery, _ state: CollectionState, _ record: VersionRecord
  ) throws -> ViewedVersion {
    var version = try #require(versions[record.seq])
    version.ids = state.ids
    let view = CompiledView(query.view, state.settings)
    return ViewedVersion(
      version, try #require(try view.members(of: version, reader)), idPath: state.settings.idPath)
  }

  private func compare(
    _ fast: ViewedVersion, _ slow: ViewedVersion, _ query: ViewQuery, _ state: CollectionState,
    _ comment: String
  ) throws {
    let view = CompiledView(query.view, state.settings)
    #expect(fast.members == slow.members, "\(comment)")
    #expect(fast.version.sections == slow.version.sections, "\(comment)")
    let expected = try #require(try slow.run(query.window), "\(comment)")
    let isHead = fast.version.contents.meta != nil
    guard let run = try fast.run(query.window) else {
      #expect(!isHead, "\(comment)")
      return
    }
    #expect(run == expected, "\(comment)")
    guard let list = try view.list(run, of: fast, reader) else { return }
    let other = try #require(try view.list(expected, of: slow, reader), "\(comment)")
    #expect(list.sections == other.sections && list.parts == other.parts, "\(comment)")
    guard state.settings.comparesAll, list.contents.itemCount == other.contents.itemCount else {
      return
    }
    for item in 0..<list.contents.itemCount where !list.contents.item(at: item).isEmpty {
      let texts = [list, other].map { Array($0.contents.item(at: item)) }
      #expect(JSONTree(texts[0]).text == JSONTree(texts[1]).text, "\(comment)")
    }
  }

  /// Checks that a reader of one version sees the same of another.
  private func compareSame(
    _ old: ViewedVersion, _ new: ViewedVersion, _ query: ViewQuery, _ state: CollectionState,
    _ comment: String
  ) throws {
    let view = CompiledView(query.view, state.settings)
    let run = try #require(try old.run(query.window), "\(comment)")
    // A window around an item that is not in the view is looked at anew.
    guard run.isExact else { return }
    let next = try #require(try new.run(query.window, after: old), "\(comment)")
    let isSame = try view.isSame(old, run, new, next, reader)
    #expect(run == next && isSame, "\(comment)")
    let allowed = { (viewed: ViewedVersion) in
      Set(viewed.version.sections.flatMap(\.items).map(\.uniqueID))
        .filter { viewed.version.flatIndex(of: $0).map(viewed.members.isAllowed) ?? false }
    }
    if !query.view.imposedTerms.isEmpty { #expect(allowed(old) == allowed(new), "\(comment)") }
    let lists = try [(old, run), (new, next)].map {
      try #require(try view.list($0.1, of: $0.0, reader), "\(comment)")
    }
    let texts = lists.map { list in
      (0..<list.contents.itemCount).map { JSONTree(Array(list.contents.item(at: $0))).text }
    }
    #expect(texts[0] == texts[1], "\(comment)")
  }
}

extension CollectionState {
  fileprivate func text(_ id: UInt32) -> String { String(decoding: ids.text(id), as: UTF8.self) }

  fileprivate var retainedSeqs: [Int] {
    (1...record.seq).filter { history[$0] != nil }
  }
}
