import TestSupport

/// Collections as writers send them, each made of the one before.
package struct RandomCollections {
  private struct Item {
    var id: String
    var revision = 0
  }

  private struct Section {
    var id: String
    var revision = 0
    var items: [Item] = []
  }

  /// Ids at the edges: integers around those that a Double holds exactly, letters that are the same to
  /// Swift, the longest.
  private static let edges = [
    "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "-0", "0",
    "\u{E9}", "e\u{301}", String(repeating: "x", count: 256),
    String(repeating: "\u{E9}", count: 128),
  ]

  private var generator: SeededGenerator
  private var sections: [Section] = []
  private var meta = 0
  private var isFlat = false
  private var count = 0

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    renew()
  }

  /// The body of a PUT.
  package var body: String {
    let meta = meta == 0 ? "" : #","meta":{"page":\#(meta),"a/b":[]}"#
    if isFlat {
      return #"{"items":[\#(sections.flatMap(\.items).map(json).joined(separator: ","))]\#(meta)}"#
    }
    return #"{"sections":[\#(sections.map(json).joined(separator: ","))]\#(meta)}"#
  }

  /// Goes on: with something else, or with what is left after some edits.
  package mutating func advance() {
    if number(0..<12) == 0 { meta = number(0..<3) }
    switch number(0..<8) {
    case 0: renew()
    case 1...3: for _ in 0..<number(1..<4) { edit() }
    default: for _ in 0..<number(1..<21) { edit() }
    }
  }

  private mutating func renew() {
    var pool = (0..<40).map {
      Item(id: $0 < 10 ? Self.edges[$0] : "i\($0)", revision: number(0..<2))
    }
    .shuffled(using: &generator)
    let ids = (0..<8).map { "s\($0)" }.shuffled(using: &generator)
    isFlat = number(0..<8) == 0
    sections = ids.prefix(isFlat ? 1 : number(0..<7)).map { id in
      let size = min(pool.count, number(0..<13))
      defer { pool.removeLast(size) }
      return Section(id: id, revision: number(0..<4), items: Array(pool.suffix(size)))
    }
  }

  private mutating func edit() {
    count += 1
    guard let s = sections.indices.randomElement(using: &generator) else {
      return sections.append(Section(id: "t\(count)"))
    }
    switch number(0..<12) {
    case 0: sections[s].revision += 1
    case 1: sections.swapAt(s, number(0..<sections.count))
    case 2: removeSection(s)
    case 3: if !isFlat { sections.insert(Section(id: "t\(count)"), at: s) }
    case 4...5: insert(Item(id: strangeID), into: s)
    default: editItem(in: s)
    }
  }

  /// Sections go with their items, or leave them to others.
  private mutating func removeSection(_ s: Int) {
    guard !isFlat else { return }
    let section = sections.remove(at: s)
    guard Bool.random(using: &generator), !sections.isEmpty else { return }
    for item in section.items { insert(item, into: number(0..<sections.count)) }
  }

  private mutating func editItem(in s: Int) {
    guard let i = sections[s].items.indices.randomElement(using: &generator) else { return }
    switch number(0..<4) {
    case 0: sections[s].items[i].revision += 1
    case 1: sections[s].items.remove(at: i)
    default:
      let item = sections[s].items.remove(at: i)
      insert(item, into: Bool.random(using: &generator) ? s : number(0..<sections.count))
    }
  }

  private mutating func insert(_ item: Item, into section: Int) {
    sections[section].items.insert(item, at: number(0..<sections[section].items.count + 1))
  }

  private var strangeID: String {
    ["n\(count)", "a/\(count)~\"", "ü\(count)\\n", "\(count)"][count % 4]
  }

  private func json(_ section: Section) -> String {
    let members = ["", #","title":"T""#, #","title":"T","sub":1"#, #","sub":2"#]
    return #"{"id":\#(JSONTree.string(section.id).text)\#(members[section.revision % 4]),"#
      + #""items":[\#(section.items.map(json).joined(separator: ","))]}"#
  }

  private func json(_ item: Item) -> String {
    // An id may be sent as a number, and as a text another time.
    let isText = Int(item.id) == nil || item.revision % 3 == 1
    let id = isText ? JSONTree.string(item.id).text : item.id
    return item.revision == 0 ? #"{"id":\#(id)}"# : #"{"id":\#(id),"n":\#(item.revision).50}"#
  }

  private mutating func number(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
}
