import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// Views of lists with repeated ids: a reader numbers them in the list that it is given.
@Suite struct OccurrenceTests {
  /// What an item can be; `h` is hidden.
  private static let kinds = [
    ("x", #"{"id":"x","n":1}"#), ("x", #"{"id":"x","n":2}"#), ("x", #"{"id":"x","h":0}"#),
    ("y", #"{"id":"y","n":1}"#),
  ]

  /// All lists of at most three items.
  private static let lists: [[(id: String, text: String)]] = (0...3).flatMap { count in
    (0..<1 << (2 * count)).map { number in
      (0..<count).map { kinds[number >> (2 * $0) & 3] }
    }
  }

  @Test(
    arguments: [
      (nil, false), (nil, true), ("last:2", false), ("around:x#2:1:0", false), ("at:1:1", true),
    ] as [(String?, Bool)])
  func `deltas between all small lists lead from what their readers number to what they number`(
    window: String?, isImposed: Bool
  ) throws {
    var bench = ViewBench()
    bench.settings.identity = .occurrence
    let term = ViewOracle.Term(pointer: "/h", name: "absent")
    var oracle = ViewOracle()
    if isImposed { oracle.imposedTerms = [term] } else { oracle.terms = [term] }
    oracle.order = [.init(pointer: "/n", isDescending: true)]
    var query = try ViewQuery(oracle.parameters(window))
    query.view = try oracle.restricting(query.view)
    var versions = try Self.lists.map { list in
      ViewPropertyTests.Both(
        slow: [
          .init(
            id: "s", items: list.map { .init(id: $0.id, tree: JSONTree(Array($0.text.utf8))) })
        ], fast: try bench.version([("s", list.map(\.text))]))
    }
    // As in a service, all versions have one table of ids.
    for index in versions.indices { versions[index].fast.ids = bench.ids }
    let check = ViewCheck(
      oracle: oracle, query: query, view: CompiledView(query.view, bench.settings), bench: bench)
    for (index, old) in versions.enumerated() {
      for (other, new) in versions.enumerated() {
        let changes = ViewChanges(from: old.fast, to: new.fast)
        try check.run([old, new], [changes], "\(Self.lists[index]) to \(Self.lists[other])")
      }
    }
  }

  struct Row: Sendable {
    var items: [String]
    var shown: [String]
    init(_ items: [String], _ shown: [String]) { (self.items, self.shown) = (items, shown) }
  }

  /// `-` is hidden.
  @Test(arguments: [
    Row(["x", "x", "x"], ["x", "x#2", "x#3"]), Row(["-x", "x", "x"], ["x", "x#2"]),
    Row(["x", "-x", "x"], ["x", "x#2"]), Row(["-x", "-x", "x", "y"], ["x", "y"]),
    // Ids that look like those of repeated ones.
    Row(["x", "x#2"], ["x", "x#2"]), Row(["-x", "x#2"], ["x#2"]), Row(["x#2", "x"], ["x#2", "x"]),
    Row(["-x#2", "x#2", "x#2", "x"], ["x#2", "x#2#2", "x"]),
    Row(["x#1", "-x", "x#02", "x#0"], ["x#1", "x#02", "x#0"]),
    Row(["-7", "7", "7"], ["7", "7#2"]),
    Row(["-#", "#", "#2"], ["#", "#2"]), Row(["-", "-x", #"\u0078"#], ["x"]),
  ]) func `the k-th item with an id in the list is id#k`(_ row: Row) throws {
    var bench = ViewBench()
    bench.settings.identity = .occurrence
    let view = CompiledView(try ViewQuery([("where", "/h:absent")]).view, bench.settings)
    let items = row.items.filter { $0 != "-" }.map { item in
      let isHidden = item.hasPrefix("-")
      let id = isHidden ? String(item.dropFirst()) : item
      let value = id == "7" && isHidden ? id : "\"\(id)\""
      return #"{"id":\#(value)\#(isHidden ? #","h":1"# : "")}"#
    }
    let viewed = try #require(try bench.viewed(try bench.version([("s", items)]), view))
    let run = try #require(try viewed.run(nil))
    let list = try #require(try view.list(run, of: viewed, bench.reader))
    #expect(list.sections.flatMap(\.items).map { bench.text($0.uniqueID) } == row.shown)
    // A window is numbered within itself, the anchor in the whole view.
    for (position, id) in row.shown.enumerated() {
      let around = try #require(try viewed.run(.around(Array(id.utf8), before: 0, after: 0)))
      #expect(around.start == position && around.isExact && around.anchor.map(bench.text) == id)
      let window = try #require(try view.list(around, of: viewed, bench.reader))
      let sent = list.sentIDs[list.sections[0].items[position].uniqueID].map(bench.text) ?? id
      #expect(window.sections.flatMap(\.items).map { bench.text($0.uniqueID) } == [sent])
    }
    let other = try #require(try viewed.run(.around(Array("x#9".utf8), before: 0, after: 0)))
    #expect(other.start == 0 && !other.isExact)
  }

  @Test func `sections are numbered within the list, too`() throws {
    var bench = ViewBench()
    bench.settings.identity = .occurrence
    let (shown, hidden) = (#"{"id":"i"}"#, #"{"id":"h","h":1}"#)
    let version = try bench.version([("s", [hidden]), ("s", [shown]), ("s#2#2", []), ("s", [])])
    for (sections, expected) in [("drop", ["s"]), ("keep", ["s", "s#2", "s#2#2", "s#3"])] {
      let query = try ViewQuery([("where", "/h:absent"), ("sections", sections)])
      let view = CompiledView(query.view, bench.settings)
      let viewed = try #require(try bench.viewed(version, view))
      let list = try #require(
        try viewed.run(nil).flatMap { try view.list($0, of: viewed, bench.reader) })
      #expect(list.sections.map { bench.text($0.uniqueID) } == expected)
    }
  }

  @Test func `contents that tell which of two readings of an id is right are asked for`() throws {
    var bench = ViewBench()
    bench.settings.identity = .occurrence
    let version = try bench.version([("s", [#"{"id":"x","h":1}"#, #"{"id":"x"}"#, #"{"id":"y"}"#])])
    let none = [Contents.Place](repeating: Contents.Place(offset: 0, count: 0), count: 3)
    let empty = ViewableVersion(
      sections: version.sections, ids: version.ids,
      contents: Contents(buffer: [], itemPlaces: none, headerPlaces: [], metaPlace: nil))
    let view = CompiledView(try ViewQuery([("where", "/h:absent")]).view, bench.settings)
    let members = try #require(try view.members(of: version, bench.reader))
    let viewed = ViewedVersion(empty, members, idPath: .id)
    func list(_ window: ViewWindow) throws -> ViewedList? {
      try viewed.run(window).flatMap { try view.list($0, of: viewed, bench.reader) }
    }
    #expect(try list(.first(1)) == nil)
    #expect(try list(.around(Array("y".utf8), before: 0, after: 0)) == nil)
    #expect(try list(.last(1))?.sections.map(\.items.count) == [1])
  }

  @Test(
    arguments: [
      ("a#2", "a"), ("a#10", "a"), ("a#2#3", "a#2"), ("##2", "#"), ("a#9999999999", "a"),
      ("é#4", "é"),
      ("a", nil), ("a#1", nil), ("a#0", nil), ("a#02", nil), ("#2", nil), ("a#", nil),
      ("a#b2", nil),
      ("2", nil), ("", nil), ("a#99999999999", nil), ("a2#", nil), ("a#11", "a"),
    ] as [(String, String?)]) func `the name of an occurrence has a number from 2 on`(
      id: String, sent: String?
    )
  {
    let bytes = Array(id.utf8)
    let name = OccurrenceName(bytes.span)
    #expect(name.map { String(decoding: bytes.prefix($0.sentCount), as: UTF8.self) } == sent)
    var ids = IDTable(seed: 1)
    for text in ["x", id] { _ = ids.intern(Array(text.utf8)[...]) }
    #expect(ids.hasOccurrenceNames == (sent != nil))
    ids.reclaim { $0 == 0 }
    #expect(!ids.hasOccurrenceNames)
    _ = ids.intern(bytes[...])
    ids.reclaim { $0 == 1 }
    #expect(ids.hasOccurrenceNames == (sent != nil))
  }
}
