import Authentication
import CollectionService
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// Random lists, edits, restrictions and audiences: whoever applies what it is sent holds what it may see now, and
/// nothing else.
@Suite(.timeLimit(.minutes(10))) struct RestrictionPropertyTests {
  @Test(arguments: 1...UInt64(100)) func `a reader holds what the restriction of the moment gives`(
    seed: UInt64
  ) async throws {
    var random = RandomLists(seed: seed)
    let keys = try ChangingKeys(["writer": "write:**"])
    var readers = (0..<SlowView.own.count).map { HoldingReader(number: $0) }
    for reader in readers { keys[reader.key] = SlowView.restrictions[0].scope }
    let clock = ManualClock()
    try await TestService.run({
      $0.time = TimeSource(clock)
      $0.authenticator = keys.authenticator
    }) { server in
      try await random.put(server)
      for step in 0..<24 {
        // Resets are not held: they are more than a minute apart.
        clock.advance(by: .seconds(61))
        switch random.below(10) {
        case 0..<5:
          random.edit()
          try await random.put(server)
        case 5..<8:
          let index = random.below(readers.count)
          readers[index].restriction = random.below(SlowView.restrictions.count)
          keys[readers[index].key] = SlowView.restrictions[readers[index].restriction].scope
        default:
          random.isPublic.toggle()
          try await random.setAudience(server)
        }
        for index in readers.indices where random.below(10) < 7 {
          let what = "seed \(seed), step \(step), reader \(index)"
          do {
            try await readers[index].poll(server)
          } catch {
            Issue.record("\(what): \(error)")
            return
          }
          let view = readers[index].view(isPublic: random.isPublic)
          let expected = try HeldList(snapshot: view.shown(random))
          #expect(readers[index].held == expected, "\(what), \(view)")
          let isMarked = readers[index].version.split(separator: ".").count == 4
          #expect(isMarked == view.isRestricted, "\(what): \(readers[index].version)")
        }
      }
    }
  }
}

/// What a reader sees, slow and obvious.
private struct SlowView: CustomStringConvertible {
  struct Restriction {
    var scope: String
    var allows: @Sendable (JSONTree) -> Bool = { _ in true }
    var hasTerms = false
    var selection: [String]?
    var showsHeaders = true
    var showsMeta = true

    static func imposed(
      _ text: String, _ allows: (@Sendable (JSONTree) -> Bool)?, _ selection: [String]? = nil,
      headers: Bool = true, meta: Bool = false
    ) -> Restriction {
      Restriction(
        scope: "read:u42/**?" + text, allows: allows ?? { _ in true }, hasTerms: allows != nil,
        selection: selection, showsHeaders: headers, showsMeta: meta)
    }
  }

  static let restrictions: [Restriction] = [
    Restriction(scope: "read:u42/**"),
    .imposed("where=/p:eq:true", { $0["p"].bool == true }),
    .imposed("where=/p:ne:true", { $0["p"].bool != true }),
    .imposed("where=/n:ge:1&select=/t,/p", { ($0["n"].int ?? 0) >= 1 }, ["t", "p"]),
    .imposed("select=/n", nil, ["n"]),
    .imposed("where=/p:eq:true&show=", { $0["p"].bool == true }, headers: false),
    .imposed("select=/t&show=headers,meta", nil, ["t"], meta: true),
    .imposed("where=/p:eq:true&show=meta", { $0["p"].bool == true }, headers: false, meta: true),
    .imposed("where=/p:eq:true&where=/n:eq:2", { $0["p"].bool == true && $0["n"].int == 2 }),
  ]

  /// What readers ask for themselves.
  static let own: [Restriction] = [
    Restriction(scope: ""), Restriction(scope: "&where=/n:ge:1") { ($0["n"].int ?? 0) >= 1 },
    Restriction(scope: "&where=/p:absent") { !$0["p"].exists },
    Restriction(scope: "&select=/t", selection: ["t"]),
  ].map { own in
    var own = own
    own.hasTerms = own.scope.contains("where")
    return own
  }

  var restriction: Restriction
  var own: Restriction
  var isRestricted: Bool { restriction.scope.contains("?") }
  var description: String { restriction.scope + own.scope }

  /// The snapshot.
  func shown(_ lists: RandomLists) -> JSONTree {
    var sections: [JSONTree] = []
    for section in lists.sections {
      let allowed = section.items.filter(restriction.allows)
      if restriction.hasTerms && allowed.isEmpty { continue }
      let items = allowed.map { project($0, restriction.selection) }.filter(own.allows)
      if own.hasTerms && items.isEmpty { continue }
      let header: JSONTree =
        restriction.showsHeaders
        ? .object(["id": .string(section.id), "title": .plain("\(section.title)")])
        : .object(["id": .string(section.id)])
      sections.append(header.with("items", .array(items.map { project($0, own.selection) })))
    }
    let snapshot = JSONTree.object(["sections": .array(sections)])
    return restriction.showsMeta
      ? snapshot.with("meta", .object(["m": .plain("\(lists.meta)")])) : snapshot
  }

  private func project(_ item: JSONTree, _ selection: [String]?) -> JSONTree {
    guard let selection else { return item }
    return item.keys.reduce(item) {
      selection.contains($1) || $1 == "id" ? $0 : $0.without($1)
    }
  }
}

/// A reader that applies what it is sent.
private struct HoldingReader {
  let number: Int
  var restriction = 0
  var version = ""
  var held: HeldList?

  var key: String { "reader\(number)" }

  init(number: Int) { self.number = number }

  func view(isPublic: Bool) -> SlowView {
    SlowView(
      restriction: SlowView.restrictions[isPublic ? 0 : restriction], own: SlowView.own[number])
  }

  mutating func poll(_ server: TestService) async throws {
    let path = TestService.inbox + "/delta?since=\(version)" + SlowView.own[number].scope
    let answer = try await server.send("GET", path, Keys.field(key))
    let json = answer.json
    switch json["kind"].string {
    case "snapshot": held = try HeldList(snapshot: json)
    case "delta":
      guard json["from"].string == version else { throw Misfit(reason: answer.text) }
      held = try applyStaged(json, known(held))
      guard json["left"].elements.isEmpty || number > 0 else {
        throw Misfit(reason: "left: \(answer.text)")
      }
    case "unchanged": break
    default: throw Misfit(reason: "\(answer.status) \(answer.text)")
    }
    version = try known(json["version"].string ?? json["to"].string, answer.text)
    guard answer["Collection-Version"] == version else { throw Misfit(reason: answer.head) }
  }
}

/// A list of three sections and what becomes of it.
private struct RandomLists {
  private var generator: SeededGenerator
  private var count = 0
  var sections: [(id: String, title: Int, items: [JSONTree])]
  var meta = 0
  var isPublic = false

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    sections = ["A", "B", "C"].map { ($0, 0, []) }
    for index in sections.indices {
      for _ in 0..<below(4) { sections[index].items.append(item(nil)) }
    }
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func item(_ id: String?) -> JSONTree {
    count += 1
    var item = JSONTree.object(["id": .string(id ?? "i\(count)")])
    let p = below(3)
    if p > 0 { item = item.with("p", .plain("\(p == 1)")) }
    if below(5) > 0 { item = item.with("n", .plain("\(below(3))")) }
    return item.with("t", .string("t\(below(2))"))
  }

  mutating func edit() {
    for _ in 0..<(1 + below(4)) {
      let section = below(sections.count)
      let count = sections[section].items.count
      switch below(9) {
      case 0: sections[section].title += 1
      case 1: meta += 1
      case 2: sections.swapAt(section, below(sections.count))
      case 3...4: sections[section].items.insert(item(nil), at: below(count + 1))
      case 5 where count > 0: sections[section].items.remove(at: below(count))
      case 6 where count > 0:
        let moved = sections[section].items.remove(at: below(count))
        let target = below(sections.count)
        sections[target].items.insert(moved, at: below(sections[target].items.count + 1))
      case _ where count > 0:
        let index = below(count)
        sections[section].items[index] = item(sections[section].items[index]["id"].string)
      default: break
      }
    }
  }

  func put(_ server: TestService) async throws {
    let whole = SlowView(restriction: SlowView.restrictions[0], own: SlowView.own[0]).shown(self)
    let answer = try await server.send(
      "PUT", TestService.inbox, Keys.field("writer"), whole.description)
    guard 200...201 ~= answer.status else { throw Misfit(reason: answer.text) }
  }

  func setAudience(_ server: TestService) async throws {
    let answer = try await server.send(
      "PUT", TestService.inbox + "/settings", Keys.field("writer"),
      #"{"audience":"\#(isPublic ? "public" : "private")"}"#)
    guard answer.status == 200 else { throw Misfit(reason: answer.text) }
  }
}
