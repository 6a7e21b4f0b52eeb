import HTTPTestSupport
import LiveDeltaClient
import TestSupport

/// Writes two collections together, always.
struct PairWriter: TestActor {
  private enum Kind {
    case put, edit, delete, refused
  }

  let client: String
  private var held: [String] = []
  private var random: SeededGenerator

  init(_ client: String, seed: UInt64) {
    self.client = client
    random = SeededGenerator(seed: seed)
  }

  mutating func act(_ session: ClientSession) async throws {
    let number = Int.random(in: 0..<Int.max, using: &random)
    let start = session.history.now()
    let kind = kind()
    let writes = PairReader.names.enumerated().map { write(kind, $0, $1, number) }
    let body = #"{"atomic":true,"writes":[\#(writes.joined(separator: ","))]}"#
    let answer: ClientResponse
    do {
      answer = try await session.send("POST", "/v1/clients/\(client)/batch", [:], body)
    } catch {
      tellLost(kind, session, since: start)
      throw error
    }
    guard answer.status == 200 else {
      held = []
      guard kind != .put, [404, 409, 412].contains(answer.status) else {
        throw Misfit(reason: "batch: \(answer.text)")
      }
      return session.add(.refusedPair(number), of: "\(client)/left", since: start)
    }
    if kind == .refused { throw Misfit(reason: "no refusal: \(answer.text)") }
    try tell(kind, answer.tree["results"].elements, session, since: start)
  }

  private mutating func kind() -> Kind {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: held.count == 2 ? .delete : .put
    case 1: .refused
    case 2...5: .edit
    default: .put
    }
  }

  private mutating func write(
    _ kind: Kind, _ index: Int, _ name: String, _ number: Int
  ) -> String {
    let merge = #""edits":[{"op":"merge","id":"pair","value":{"n":\#(number)}}]"#
    let what =
      switch kind {
      case .delete: #""delete":true,"ifVersion":"\#(held[index])""#
      case .edit: merge
      case .put: #""put":\#(content(number))"#
      // The first could be done, the second not.
      case .refused:
        #""put":\#(content(number))"#
          + (index == 0 ? "" : #","ifVersion":"zzzzzzzz.7.AAAAAAAAAAAAAAAA""#)
      }
    return #"{"collection":"\#(name)",\#(what)}"#
  }

  private mutating func content(_ number: Int) -> String {
    let ids = (0..<12).shuffled(using: &random).prefix(Int.random(in: 0..<12, using: &random))
    let items = ids.map { #",{"id":\#($0)}"# }.joined()
    return #"{"items":[{"id":"pair","n":\#(number)}\#(items)]}"#
  }

  private func tellLost(_ kind: Kind, _ session: ClientSession, since start: Int) {
    for (index, name) in PairReader.names.enumerated() {
      let what: Event.What =
        kind == .delete ? .deleted(version: held[index], isAcknowledged: false) : .lost
      session.add(what, of: "\(client)/\(name)", since: start)
    }
  }

  private mutating func tell(
    _ kind: Kind, _ results: [JSONTree], _ session: ClientSession, since start: Int
  ) throws {
    let old = held
    held = []
    for (index, name) in PairReader.names.enumerated() {
      let collection = "\(client)/\(name)"
      if kind == .delete {
        session.add(
          .deleted(version: old[index], isAcknowledged: true), of: collection, since: start)
        continue
      }
      guard index < results.count else { throw Misfit(reason: "\(results.count) results") }
      let version = try known(results[index]["version"].string, "a version")
      held.append(version)
      session.add(
        .wrote(version: version, previous: nil, isChange: true), of: collection, since: start)
    }
  }
}
