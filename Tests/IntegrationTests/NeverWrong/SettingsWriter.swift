import HTTPTestSupport
import LiveDeltaClient
import TestSupport

/// Writes a collection whose settings it changes all the time.
struct SettingsWriter: TestActor {
  let client: String
  let collection: String
  private var random: SeededGenerator

  init(_ client: String, _ collection: String, seed: UInt64) {
    self.client = client
    self.collection = collection
    random = SeededGenerator(seed: seed)
  }

  private static let settings = [
    "{}", #"{"sortBy":[{"path":"/v","order":"desc","type":"number"}]}"#,
    #"{"sortBy":[{"path":"/cat","order":"asc","type":"text"}]}"#,
    #"{"equality":{"ignore":["/at"]}}"#,
    #"{"sectionBy":{"path":"/cat","other":"none"}}"#,
    #"{"sectionBy":{"path":"/cat","other":"none"},"emptySections":"drop"}"#,
    #"{"emptySections":"drop"}"#, #"{"identity":"occurrence"}"#,
    #"{"identity":"occurrence","sortBy":[{"path":"/v","order":"asc","type":"number"}]}"#,
    #"{"retention":{"versions":3}}"#, #"{"animations":{"rows":{"insert":"fade"}}}"#,
  ]

  private var name: String { "\(client)/\(collection)" }
  private var path: String { "/v1/clients/\(client)/collections/\(collection)" }

  mutating func act(_ session: ClientSession) async throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1:
      let settings = Self.settings.randomElement(using: &random) ?? "{}"
      let method = Bool.random(using: &random) ? "PUT" : "PATCH"
      try await write(method, path + "/settings", [:], settings, session)
    case 2...4:
      let type = ["Content-Type": "application/vnd.livedelta.edits+json"]
      try await write("PATCH", path, type, edits(), session)
    default: try await write("PUT", path, [:], body(), session)
    }
  }

  private func write(
    _ method: String, _ path: String, _ fields: [String: String], _ body: String,
    _ session: ClientSession
  ) async throws {
    let start = session.history.now()
    let answer: ClientResponse
    do {
      answer = try await session.send(method, path, fields, body)
    } catch {
      session.add(.lost, of: name, since: start)
      throw error
    }
    guard 200...204 ~= answer.status else {
      guard [404, 409, 422].contains(answer.status) else {
        throw Misfit(reason: "\(method) \(path) \(body): \(answer.text)")
      }
      return session.add(.refused, of: name, since: start)
    }
    let version = try known(answer["Collection-Version"], "a version")
    let receipt = try answer.tree
    session.add(
      .wrote(
        version: version, previous: receipt["previous"].string,
        isChange: receipt["changed"].ifPresent.map { $0 == .plain("true") }), of: name, since: start
    )
  }

  // MARK: Contents

  private mutating func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

  private mutating func item(_ id: Int) -> String {
    let list = (0..<6).shuffled(using: &random).prefix(number(6)).map {
      #"{"id":\#($0),"w":\#(number(2))}"#
    }
    return #"{"id":"i\#(id)","cat":"c\#(number(4))","v":\#(number(5)),"at":\#(number(1000)),"#
      + #""list":[\#(list.joined(separator: ","))]}"#
  }

  private mutating func body() -> String {
    var items = (0..<20).shuffled(using: &random).prefix(number(16)).map { item($0) }
    if number(8) == 0 { items.append(item(number(20))) }
    if number(2) == 0 { return #"{"items":[\#(items.joined(separator: ","))]}"# }
    let cut = number(items.count + 1)
    let (first, second) = (items.prefix(cut), items.dropFirst(cut))
    return #"{"sections":[{"id":"a","items":[\#(first.joined(separator: ","))]},"#
      + #"{"id":"b","t":\#(number(2)),"items":[\#(second.joined(separator: ","))]}]}"#
  }

  private mutating func edits() -> String {
    let id = "i\(number(20))"
    let edit =
      switch number(5) {
      case 0: #"{"op":"delete","ids":["\#(id)"],"missing":"ignore"}"#
      case 1: #"{"op":"merge","id":"\#(id)","value":{"list":[{"id":\#(number(6))}]}}"#
      case 2: #"{"op":"merge","id":"\#(id)","value":{"cat":"c\#(number(4))"}}"#
      case 3: #"{"op":"reload","ids":["\#(id)"]}"#
      default: #"{"op":"merge","id":"\#(id)","value":{"v":\#(number(5))}}"#
      }
    return #"{"edits":[\#(edit)]}"#
  }
}
