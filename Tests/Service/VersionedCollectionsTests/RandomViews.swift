import TestSupport

@testable import VersionedCollections

/// Random items, versions, views and windows, small enough that they meet.
struct RandomViews {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  // MARK: Items

  static let numbers = [
    "0", "-0", "1", "1.0", "10e-1", "2", "-3", "0.5", "5e-1", "1e20", "100000000000000000000",
  ]
  static let texts = [
    #""""#, #""a""#, #""\u0061""#, #""ab""#, #""é""#, #""b\"c""#, #""1""#, #""2024-01-01""#,
    #""1970-01-01T00:00:01.5Z""#,
  ]
  static let others = [
    "true", "false", "null", "[]", "{}", #"[1.0,"a"]"#, #"["a",1]"#, #"{"k":1,"l":[]}"#,
    #"{"l":[],"k":1.0}"#,
  ]

  mutating func scalar() -> String {
    pick([Self.numbers, Self.texts, Self.others][pick([0, 0, 1, 1, 2])])
  }

  /// The text of an item's members besides its id, in any order, some twice.
  mutating func members() -> [String] {
    var members: [String] = []
    for name in ["n", "t", "x"] where chance(70) { members.append(#""\#(name)":\#(scalar())"#) }
    if chance(60) {
      members.append(
        #""tags":[\#((0..<pick([0, 1, 3])).map { _ in scalar() }.joined(separator: ","))]"#)
    }
    if chance(60) {
      let inner = ["a", "b", "0"].filter { _ in chance(60) }.map { #""\#($0)":\#(scalar())"# }
      members.append(#""o":{\#(inner.joined(separator: ","))}"#)
    }
    if chance(10) { members.append(#""\u006e":\#(scalar())"#) }
    return members.shuffled(using: &generator)
  }

  mutating func item(_ id: String) -> String {
    var members = members()
    members.insert(#""id":"\#(id)""#, at: Int.random(in: 0...members.count, using: &generator))
    return "{" + members.joined(separator: ",") + "}"
  }

  // MARK: Versions

  typealias Sections = [(id: String, items: [(id: String, text: String)])]

  mutating func version() -> Sections {
    var id = 0
    return ["A", "B", "C"].map { name in
      (
        name,
        (0..<pick([0, 2, 6])).map { _ in
          id += 1
          return ("i\(id)", item("i\(id)"))
        }
      )
    }
  }

  /// Another version, with some items changed, deleted, inserted and moved.
  mutating func next(_ version: Sections) -> Sections {
    var next = version
    for section in next.indices {
      for index in next[section].items.indices where chance(15) {
        next[section].items[index].text = item(next[section].items[index].id)
      }
      next[section].items.removeAll { _ in chance(10) }
    }
    for _ in 0..<pick([0, 1, 2]) {
      let from = pick(Array(next.indices))
      guard !next[from].items.isEmpty else { continue }
      let item = next[from].items.remove(at: pick(Array(next[from].items.indices)))
      let to = pick(Array(next.indices))
      next[to].items.insert(item, at: Int.random(in: 0...next[to].items.count, using: &generator))
    }
    for _ in 0..<pick([0, 0, 1, 2]) {
      let id = "i\(Int.random(in: 1...30, using: &generator))"
      guard !next.contains(where: { $0.items.contains { $0.id == id } }) else { continue }
      let to = pick(Array(next.indices))
      let text = item(id)
      next[to].items.insert(
        (id, text), at: Int.random(in: 0...next[to].items.count, using: &generator))
    }
    if chance(20) { next.shuffle(using: &generator) }
    return next
  }

  /// The version with few ids, which repeat; some are like those of repeated ones.
  ///
  /// Each name is given once, as a service sees to.
  mutating func repeating(_ version: Sections) -> Sections {
    let ids = chance(50) ? ["a", "b", "a#2", "b"] : ["a", "a", "7", "a#3", "a#2#2"]
    var repeated = version
    for section in repeated.indices {
      for item in repeated[section].items.indices {
        let (id, text) = repeated[section].items[item]
        let new = ids[(Int(id.dropFirst()) ?? 0) % ids.count]
        let value = new == "7" && chance(50) ? new : #""\#(new)""#
        repeated[section].items[item] = (
          new, text.replacing(#""id":"\#(id)""#, with: #""id":\#(value)"#)
        )
      }
    }
    // An id that repeats, and one that looks like a repeated one.
    let last = repeated.indices.last { repeated[$0].id != "A" }
    if let last { repeated[last].id = pick(["A", "A", "A#2", repeated[last].id]) }
    let names = [repeated.map(\.id), repeated.flatMap { $0.items.map(\.id) }]
      .map(SlowWindow.numbered)
    return names.allSatisfy { Set($0).count == $0.count } ? repeated : version
  }

  // MARK: Views

  mutating func pointer() -> String {
    pick(["/n", "/t", "/x", "/tags", "/o", "/o/a", "/o/0", "/tags/0", "/tags/1", "/id"])
  }

  mutating func term() -> ViewOracle.Term {
    let name = pick(["eq", "ne", "lt", "le", "gt", "ge", "in", "prefix", "has", "exists", "absent"])
    func tree(_ text: String) -> JSONTree { JSONTree(Array(text.utf8)) }
    let values: [JSONTree] =
      switch name {
      case "exists", "absent": []
      case "prefix": [tree(pick(Self.texts))]
      case "lt", "le", "gt", "ge": [tree(pick(Self.numbers + Self.texts))]
      case "in": (0..<pick([0, 1, 3])).map { _ in tree(scalar()) }
      default: [tree(scalar())]
      }
    return ViewOracle.Term(pointer: name == "has" ? "/tags" : pointer(), name: name, values: values)
  }

  mutating func view() -> ViewOracle {
    var view = ViewOracle()
    view.terms = (0..<pick([0, 1, 1, 2])).map { _ in term() }
    if chance(40) { view.selection = (0..<pick([1, 2, 3])).map { _ in pointer() } }
    if chance(40) {
      view.order = (0..<pick([1, 2])).map { _ in
        .init(
          pointer: pointer(), isDescending: chance(50),
          kind: pick([nil, nil, "text", "number", "date"]))
      }
    }
    if chance(40) { view.sections = pick(["keep", "drop", "flat"]) }
    if chance(30) { view.imposedTerms = [term()] }
    if chance(30) { view.imposedSelection = (0..<pick([1, 2, 3])).map { _ in pointer() } }
    return view
  }

  /// The id of a window, of lists of either kind.
  private mutating func ids() -> String {
    chance(50) ? "i\(pick(Array(1...12)))" : pick(["a", "a#2", "a#3", "a#4", "b#2", "a#2#2", "7"])
  }

  mutating func window() -> String? {
    let count = pick([0, 1, 2, 3, 20])
    return switch pick([0, 1, 2, 3, 4, 4]) {
    case 0: nil
    case 1: "first:\(count)"
    case 2: "last:\(count)"
    case 3: "at:\(pick([0, 1, 3, 30])):\(count)"
    default: "around:\(ids()):\(pick([0, 1, 2])):\(pick([0, 1, 3]))"
    }
  }
}

extension ViewOracle {
  /// The question with the parameters that say this.
  func parameters(_ window: String?) -> [(name: String, value: String)] {
    var parameters = terms.map { (name: "where", value: $0.text) }
    if let selection { parameters.append(("select", selection.joined(separator: ","))) }
    parameters += order.map { ("order", $0.text) }
    if let sections { parameters.append(("sections", sections)) }
    if let window { parameters.append(("window", window)) }
    return parameters
  }

  /// A view with what is imposed besides it.
  func restricting(_ view: View) throws -> View {
    let parameters =
      imposedTerms.map { ("where", $0.text) }
      + (imposedSelection.map { [("select", $0.joined(separator: ","))] } ?? [])
    return parameters.isEmpty ? view : view.restricted(by: try ViewRestriction(parameters))
  }
}
