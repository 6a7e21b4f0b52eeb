import Authentication
import HTTPTestSupport
import TestSupport
import Testing

@testable import DeltaHTTP

/// Views of lists with repeated ids, over the routes: what readers number, and what is hidden from them.
@Suite struct OccurrenceViewTests {
  /// Random lists of few ids; hidden items are among them.
  private struct RandomLists {
    var generator: SeededGenerator
    private var list: [(id: String, n: Int, isShown: Bool)] = []

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
      for _ in 0..<4 { advance() }
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }

    mutating func advance() {
      for _ in 0..<number(1..<4) {
        let place = number(0..<list.count + 1)
        switch number(0..<5) {
        case 0 where place < list.count: list.remove(at: place)
        case 1 where place < list.count: list[place].n = number(0..<3)
        case 2 where place < list.count: list[place].isShown.toggle()
        case 3 where place < list.count: list.insert(list.remove(at: place), at: 0)
        default:
          list.insert((pick(["x", "x", "y", "z"]), number(0..<3), number(0..<3) > 0), at: place)
        }
      }
      if list.count > 12 { list.removeLast(4) }
    }

    /// A body with all items, or with those alone that are not hidden; the sections have ids that repeat.
    func body(isWhole: Bool = true) -> String {
      let shown = list.filter { isWhole || $0.isShown }
      let half = list.count / 2
      let first = list[..<half].count { isWhole || $0.isShown }
      let sections = [shown[..<first], shown[first...]].map { items in
        let texts = items.map { #"{"id":"\#($0.id)","n":\#($0.n),"p":\#($0.isShown ? 1 : 0)}"# }
        return #"{"id":"s","items":[\#(texts.joined(separator: ","))]}"#
      }
      return
        #"{"settings":{"identity":"occurrence"},"sections":[\#(sections.joined(separator: ","))]}"#
    }

    /// Parameters of a view, and its window.
    mutating func view() -> (parameters: [String], window: String?) {
      var parameters: [String] = []
      if number(0..<2) == 0 { parameters.append("where=/p:eq:1") }
      if number(0..<3) == 0 { parameters.append("where=/n:ge:1") }
      if number(0..<3) == 0 { parameters.append(pick(["order=/n", "order=/n:desc"])) }
      if number(0..<4) == 0 { parameters.append(pick(["sections=flat", "sections=keep"])) }
      if number(0..<4) == 0 { parameters.append("select=/n") }
      return (parameters, window())
    }

    mutating func window() -> String? {
      let id = pick(["x", "x%232", "y", "x%233"])
      return pick([
        nil, nil, "first:2", "last:3", "at:\(number(0..<4)):3", "around:\(id):\(number(0..<3)):1",
      ])
    }
  }

  @Test(arguments: 1...UInt64(rounds(200)))
  func `each dialect's delta gives a reader who numbers ids the list that GET gives`(
    seed: UInt64
  ) async throws {
    try await TestService.run { server in
      var lists = RandomLists(seed: seed)
      let inbox = TestService.inbox
      _ = try await server.put(lists.body())
      for step in 0..<8 {
        let (parameters, window) = lists.view()
        func path(_ window: String?, _ more: String...) -> String {
          let all = parameters + (window.map { ["window=\($0)"] } ?? []) + more
          return all.isEmpty ? "" : "?" + all.joined(separator: "&")
        }
        let held = try await server.send("GET", inbox + path(window)).json
        // The reader goes on with the window that it is given, and sometimes asks for another one.
        let kept = held["view"]["anchor"].string.map { anchor in
          let id = anchor.replacing("#", with: "%23")
          return "around:\(id)" + (window ?? "").suffix(4)
        }
        let was = kept ?? window
        let next = was == nil || lists.number(0..<3) > 0 ? was : lists.window() ?? was
        for _ in 0..<lists.number(0..<3) { lists.advance() }
        _ = try await server.put(lists.body())
        for dialect in CheckedDialect.all {
          let since = "since=\(try #require(held["version"].string))"
          let moved = was == next ? [] : ["was=\(was ?? "")"]
          let query = path(
            next, ([since, "dialect=\(dialect.name)"] + moved).joined(separator: "&"))
          let answer = try await server.send("GET", inbox + "/delta" + query)
          let text = "seed \(seed), \(step): \(query)\n\(held.text)\n\(answer.text)"
          let anchor = answer.json["view"]["anchor"].string?.replacing("#", with: "%23")
          let now = anchor.map { "around:\($0)" + (next ?? "").suffix(4) } ?? next
          let target = try await server.send("GET", inbox + path(now)).json
          try check(dialect, answer, from: held, to: target, Comment(rawValue: text))
        }
      }
    }
  }

  private func check(
    _ dialect: CheckedDialect, _ answer: TestResponse, from held: JSONTree, to target: JSONTree,
    _ comment: Comment
  ) throws {
    #expect(answer.status == 200, comment)
    switch answer.json["kind"].string {
    case "unchanged":
      #expect(try HeldList(snapshot: held) == HeldList(snapshot: target), comment)
      #expect(answer.json["view"] == target["view"], comment)
    case "snapshot": #expect(answer.json["sections"] == target["sections"], comment)
    default:
      do {
        let isPatch = dialect.name == "json-patch"
        try dialect.check(
          answer.json, from: isPatch ? held : withoutParts(held),
          to: isPatch ? target : withoutParts(target))
      } catch {
        Issue.record("\(error): \(comment)")
      }
    }
  }

  /// The document without the places of sections that are shown in part, which only JSON Patch tells.
  private func withoutParts(_ document: JSONTree) -> JSONTree {
    guard case .object(var members) = document else { return document }
    members["sections"] = .array(
      document["sections"].elements.map { $0.without("start").without("total") })
    return .object(members)
  }

  @Test(arguments: 1...UInt64(rounds(200)))
  func `a reader of an imposed view is told the same, whatever is hidden`(
    seed: UInt64
  ) async throws {
    try await TestService.run { configuration in
      let keys = [
        Keys.line("writer", "write:**"), Keys.line("viewer", "read:u42/**?where=/p:eq:1"),
      ].joined(separator: "\n")
      configuration.authenticator = try? Authenticator(.text(keys), now: { 0 })
    } _: { server in
      var lists = RandomLists(seed: seed)
      let paths = ["a", "b"].map { "/v1/clients/u42/collections/" + $0 }
      func put() async throws {
        for (path, isWhole) in zip(paths, [true, false]) {
          let answer = try await server.send(
            "PUT", path, Keys.field("writer"), lists.body(isWhole: isWhole))
          #expect(200...201 ~= answer.status, "\(answer.text)")
        }
      }
      for step in 0..<8 {
        try await put()
        let (parameters, window) = lists.view()
        let query = (parameters + (window.map { ["window=\($0)"] } ?? [])).joined(separator: "&")
        var tokens: [String] = []
        for path in paths {
          let answer = try await server.send("GET", path + "?" + query, Keys.field("viewer"))
          tokens.append(try #require(answer.json["version"].string))
        }
        for _ in 0..<lists.number(0..<3) { lists.advance() }
        try await put()
        for dialect in CheckedDialect.all where dialect.name != "json-patch" {
          var told: [String] = []
          for (path, token) in zip(paths, tokens) {
            let delta = "/delta?since=\(token)&dialect=\(dialect.name)&\(query)"
            let answer = try await server.send("GET", path + delta, Keys.field("viewer")).json
            let names = ["collection", "version", "from", "to", "seq", "reset"]
            told.append(names.reduce(answer) { $0.without($1) }.description)
          }
          #expect(told[0] == told[1], "seed \(seed), \(step): \(dialect.name) \(query)")
        }
      }
    }
  }

  @Test func `what is told of repeated ids that leave a view`() async throws {
    try await TestService.run { server in
      func list(_ hidden: Int...) -> String {
        let items = (0..<3).map { #"{"id":"x","p":\#(hidden.contains($0) ? 0 : 1)}"# }
        return #"{"settings":{"identity":"occurrence"},"items":[\#(items.joined(separator: ","))]}"#
      }
      let first = try await server.put(list())
      _ = try await server.put(list(0))
      let path = TestService.inbox + "/delta?since=\(first)&dialect=splice"
      for (query, left, removed) in [
        // A repeat leaves the view, and a window; the id is still there.
        ("&where=/p:eq:1", #"["x#3"]"#, #"["x#3"]"#),
        ("&window=last:1&was=first:2", #"["x#2"]"#, #"["x#2"]"#),
      ] {
        let delta = try await server.send("GET", path + query).json
        #expect("\(delta["left"]) \(delta["removed"])" == "\(left) \(removed)", "\(query)")
        #expect("\(delta["deleted"])" == "[]", "\(query)")
      }
      let last = try await server.put(#"[{"id":"y"}]"#)
      let gone = try await server.send("GET", path + "&where=/p:eq:1").json
      #expect("\(gone["deleted"]) \(gone["left"])" == #"["x","x#2","x#3"] []"#)
      #expect(gone["to"].string == last)
    }
  }
}
