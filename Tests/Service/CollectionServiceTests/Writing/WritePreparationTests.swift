import DeltaEngine
import SnapshotJSON
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// What a write comes to, without a shard, a store or a clock.
@Suite struct WritePreparationTests {
  private let preparation = WritePreparation(
    reader: JSONReader(), limits: ServiceLimits(), date: 1_750_000_000)

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `random writes come to what a plain list comes to`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var model = PlainLists()
    var owner: HostedCollection?
    var stored: StoredCollection?
    for step in 0..<30 {
      let place: Comment = "seed \(seed), step \(step)"
      var next = model
      let change = next.change(&generator, isNew: owner == nil)
      let before = owner.map { Trace($0) }
      let prepared = prepare(change, owner)
      // What is prepared changes nothing, whether it is taken or dropped.
      #expect(owner.map { Trace($0) } == before, place)
      if Int.random(in: 0..<4, using: &generator) == 0 { continue }
      try check(prepared, owner, next, place)
      (owner, stored) = try commit(prepared, owner, stored)
      model = next
      let head = try #require(owner)
      #expect(PlainLists(head.state.sections, head.state.ids, head.state.contents) == model, place)
    }
    let checked = try #require(stored)
    try checked.checkDigest()
    #expect(checked.version == owner?.token)
  }

  @Test func `ids that no version has any more are freed, in what is prepared only`() throws {
    var owner: HostedCollection?
    var retention = Retention()
    retention.versionsMax = 1
    for round in 0..<10 {
      let ids = (0..<100).map { "{\"id\":\"\(round)-\($0)\"}" }
      let prepared = prepare(.put(body: body("[\(ids.joined(separator: ","))]")), owner)
      switch prepared.effect {
      case .create(let state, _): owner = HostedCollection(state)
      case .update(let version):
        _ = owner?.commit(version, retention: retention, now: 0, keepsDelta: false)
      default: Issue.record("\(prepared)")
      }
      #expect(try #require(owner).state.ids.count <= 401)
    }
  }

  @Test func `a write that fails brings its reason and the version it failed on`() throws {
    let prepared = prepare(.put(body: body("[]")), nil)
    let (owner, _) = try commit(prepared, nil, nil)
    let token = owner?.token
    let missing = prepare(.edit(body: body(#"{"edits":[{"op":"delete","ids":["x"]}]}"#)), owner)
    guard case .editConflict? = missing.failure?.error else {
      Issue.record("\(missing.result)")
      return
    }
    #expect(missing.failure?.current == token && missing.stored == nil)
    let none = prepare(.edit(body: body(#"{"edits":[]}"#)), nil)
    guard case .collectionNotFound? = none.failure?.error else {
      Issue.record("there is nothing to edit")
      return
    }
    let full = preparation.prepare(
      Write(name: name("a"), change: .put(body: body("[]"))),
      .init(head: nil, state: nil, lineage: "l", room: 0))
    guard case .tooManyCollections? = full.failure?.error else {
      Issue.record("there is no room")
      return
    }
  }

  private func body(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func prepare(_ change: WriteRequest.Change, _ owner: HostedCollection?) -> PreparedWrite {
    preparation.prepare(
      Write(name: name("a"), change: change),
      .init(head: owner?.token, state: owner?.state, lineage: "lineage", room: 1))
  }

  private func check(
    _ prepared: PreparedWrite, _ owner: HostedCollection?, _ model: PlainLists, _ place: Comment
  ) throws {
    let before = owner?.state.sections ?? []
    let version: PreparedVersion
    switch prepared.effect {
    case .create(_, let first): version = first
    case .update(let next): version = next
    case .none:
      #expect(prepared.receipt?.isChanged == false, "\(prepared.result) \(place)")
      return
    case .configure, .delete:
      Issue.record("\(prepared.effect)")
      return
    }
    let sections = version.sections
    #expect(PlainLists(sections, version.ids, version.contents) == model, place)
    #expect(version.delta.violation(from: before, to: sections) == nil, place)
    #expect(version.back.map { $0.apply(to: sections) } ?? [] == before, place)
    #expect(prepared.receipt?.counts == ChangeCounts(version.delta.changes), place)
  }

  private func commit(
    _ prepared: PreparedWrite, _ owner: HostedCollection?, _ stored: StoredCollection?
  ) throws -> (HostedCollection?, StoredCollection?) {
    var stored = stored
    if case .put(let version)? = prepared.stored {
      if let change = version.encodedChange() {
        try stored?.apply(change: change)
      } else {
        stored = try StoredCollection(
          lineage: version.lineage, image: version.encodedImage())
      }
    }
    switch prepared.effect {
    case .create(let state, _): return (HostedCollection(state), stored)
    case .update(let version):
      _ = owner?.commit(version, retention: Retention(), now: 0, keepsDelta: false)
    case .none, .configure, .delete: break
    }
    return (owner, stored)
  }
}

/// What can be seen of a collection that something is prepared from.
private struct Trace: Equatable {
  let token: VersionToken
  let sections: [StructureSection]
  let idCount: Int
  let texts: [[UInt8]]

  init(_ collection: HostedCollection) {
    token = collection.token
    sections = collection.state.sections
    idCount = collection.state.ids.count
    texts = sections.flatMap(\.items).map { Array(collection.state.ids.text($0.uniqueID)) }
  }
}

/// Sections of items as plain values: the slow oracle.
private struct PlainLists: Equatable {
  struct Section: Equatable {
    var id: String
    /// The JSON of each item.
    var items: [Item]
  }

  struct Item: Equatable {
    var id: String
    var json: String
  }

  var sections: [Section] = []
  private var nextID = 0

  init() {}

  /// What a version shows.
  init(_ structure: [StructureSection], _ ids: IDTable, _ contents: Contents) {
    var flat = 0
    sections = structure.map { section in
      let items = section.items.map { item in
        defer { flat += 1 }
        return Item(
          id: String(decoding: ids.text(item.uniqueID), as: UTF8.self),
          json: String(decoding: contents.item(at: flat), as: UTF8.self))
      }
      return Section(id: String(decoding: ids.text(section.uniqueID), as: UTF8.self), items: items)
    }
  }

  static func == (one: PlainLists, other: PlainLists) -> Bool { one.sections == other.sections }

  /// Changes it at random.
  ///
  /// - Returns: A write that asks for the same.
  mutating func change(_ generator: inout SeededGenerator, isNew: Bool) -> WriteRequest.Change {
    if isNew || Bool.random(using: &generator) {
      for _ in 0..<Int.random(in: 0..<6, using: &generator) { edit(&generator) }
      if sections.isEmpty { sections = [Section(id: "s", items: [])] }
      return .put(body: Array(text.utf8))
    }
    let items = sections.flatMap(\.items)
    guard let item = items.randomElement(using: &generator) else {
      return .put(body: Array(text.utf8))
    }
    let section = sections.indices.randomElement(using: &generator) ?? 0
    let new = newItem()
    let edits = """
      {"edits":[{"op":"delete","ids":["\(item.id)"]},\
      {"op":"insert","section":"\(sections[section].id)","at":0,"items":[\(new.json)]}]}
      """
    for index in sections.indices { sections[index].items.removeAll { $0 == item } }
    sections[section].items.insert(new, at: 0)
    return .edit(body: Array(edits.utf8))
  }

  private mutating func edit(_ generator: inout SeededGenerator) {
    let section = sections.indices.randomElement(using: &generator) ?? 0
    let item =
      sections.indices.contains(section)
      ? sections[section].items.indices.randomElement(using: &generator) : nil
    switch (Int.random(in: 0..<7, using: &generator), item) {
    case (0, let item?): sections[section].items.remove(at: item)
    case (1, let item?):
      let moved = sections[section].items.remove(at: item)
      let target = sections.indices.randomElement(using: &generator) ?? 0
      sections[target].items.insert(moved, at: 0)
    case (2, let item?):
      nextID += 1
      sections[section].items[item].json.removeLast()
      sections[section].items[item].json += ",\"v\(nextID)\":\(nextID)}"
    case (3, _):
      nextID += 1
      sections.append(Section(id: "s\(nextID)", items: []))
    case (4, _): if sections.count > 1 { sections.remove(at: section) }
    case (5, _): sections.shuffle(using: &generator)
    default:
      if sections.isEmpty { sections = [Section(id: "s", items: [])] }
      let target = min(section, sections.count - 1)
      for _ in 0..<Int.random(in: 1...9, using: &generator) {
        sections[target].items.append(newItem())
      }
    }
  }

  private mutating func newItem() -> Item {
    nextID += 1
    return Item(id: "i\(nextID)", json: "{\"id\":\"i\(nextID)\",\"t\":\"\(nextID)\"}")
  }

  private var text: String {
    let texts = sections.map { section in
      "{\"id\":\"\(section.id)\",\"items\":[\(section.items.map(\.json).joined(separator: ","))]}"
    }
    return "{\"sections\":[\(texts.joined(separator: ","))]}"
  }
}
