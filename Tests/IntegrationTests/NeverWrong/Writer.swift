import HTTPTestSupport
import LiveDeltaClient
import TestSupport

/// Writes one collection in every way there is, and knows what must come of it.
struct Writer: TestActor {
  private struct Held {
    var version: String
    var list: HeldList
  }

  private struct Pending {
    var key: String
    var body: String
  }

  let client: String
  let collection: String
  /// Whether it deletes the collection now and then.
  let deletes: Bool
  private var random: SeededGenerator
  private var content: RandomCollections
  private var held: Held?
  private var pending: Pending?

  init(_ client: String, _ collection: String, deletes: Bool = false, seed: UInt64) {
    self.client = client
    self.collection = collection
    self.deletes = deletes
    random = SeededGenerator(seed: seed)
    content = RandomCollections(seed: seed)
  }

  private var name: String { "\(client)/\(collection)" }
  private var path: String { "/v1/clients/\(client)/collections/\(collection)" }
  private static let edits = "application/vnd.livedelta.edits+json"

  mutating func act(_ session: ClientSession) async throws {
    if let pending { return try await retry(pending, session) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: try await put(session)
    case 4: try await putWithKey(session)
    case 5...7: try await edit(session)
    case 8: try await patch(session)
    case 9: try await editBlindly(session)
    case 10: if deletes { try await delete(session) } else { try await put(session) }
    default: try await refresh(session)
    }
  }

  // MARK: Moves

  private mutating func put(_ session: ClientSession) async throws {
    content.advance()
    let body = content.body
    var fields: [String: String] = [:]
    if let held, chance(3) { fields["Collection-If-Version"] = held.version }
    if chance(20) { fields["If-None-Match"] = "*" }
    let list = try HeldList(written: JSONTree(parsing: Array(body.utf8)))
    try await write(chance(4) ? "POST" : "PUT", fields, body, list, session)
  }

  private mutating func putWithKey(_ session: ClientSession) async throws {
    content.advance()
    let key = "k\(Int.random(in: 0..<Int.max, using: &random))"
    let pending = Pending(key: key, body: content.body)
    self.pending = pending
    let list = try HeldList(written: JSONTree(parsing: Array(pending.body.utf8)))
    try await write("PUT", ["Idempotency-Key": key], pending.body, list, session)
    self.pending = nil
    if chance(2) { try await retry(pending, session) }
  }

  /// Sends a write again whose answer may be lost: it is done once.
  private mutating func retry(_ pending: Pending, _ session: ClientSession) async throws {
    let start = session.history.now()
    let answer: ClientResponse
    do {
      answer = try await session.send("PUT", path, ["Idempotency-Key": pending.key], pending.body)
    } catch {
      session.add(.lost, of: name, since: start)
      throw error
    }
    self.pending = nil
    guard 200...201 ~= answer.status else { return session.add(.refused, of: name, since: start) }
    let version = try known(answer["Collection-Version"], "a version")
    guard answer["Idempotency-Replayed"] == "true" else {
      let receipt = try answer.tree
      session.add(
        .wrote(
          version: version, previous: receipt["previous"].string,
          isChange: receipt["changed"] == .plain("true")), of: name, since: start)
      return
    }
    session.add(.claimed(version: version), of: name, since: start)
  }

  private mutating func edit(_ session: ClientSession) async throws {
    guard let held else { return try await refresh(session) }
    let model = EditModel(held.list, using: &random)
    let fields = ["Content-Type": Self.edits, "Collection-If-Version": held.version]
    try await write("PATCH", fields, model.body, model.list, session)
  }

  /// Edits of whatever there is; what comes of them is told.
  private mutating func editBlindly(_ session: ClientSession) async throws {
    guard let held else { return try await refresh(session) }
    let model = EditModel(held.list, using: &random)
    let fields = ["Content-Type": Self.edits, "Prefer": "return=representation"]
    try await write("PATCH", fields, model.body, nil, session)
  }

  private mutating func patch(_ session: ClientSession) async throws {
    guard let held, let section = held.list.sections.indices.randomElement(using: &random),
      held.list.sections.count == 1 || held.list.sections.allSatisfy({ !$0.id.isEmpty })
    else { return try await refresh(session) }
    var list = held.list
    var operations: [String] = []
    let rows = list.sections[section].rows
    if let from = rows.indices.randomElement(using: &random),
      let to = rows.indices.randomElement(using: &random), from != to
    {
      list.sections[section].rows.insert(
        list.sections[section].rows.remove(at: from), at: to)
      let items = "/sections/\(section)/items"
      operations.append(#"{"op":"move","from":"\#(items)/\#(from)","path":"\#(items)/\#(to)"}"#)
    }
    let number = Int.random(in: 0..<1_000_000, using: &random)
    if list.rowsByID["p\(number)"] == nil {
      let content = JSONTree.object(["id": .string("p\(number)")])
      list.sections[section].rows.append(HeldList.Row(id: "p\(number)", content: content))
      operations.append(
        #"{"op":"add","path":"/sections/\#(section)/items/-","value":\#(content.text)}"#)
    }
    let fields = [
      "Content-Type": "application/json-patch+json", "Collection-If-Version": held.version,
    ]
    try await write(
      "PATCH", fields, "[\(operations.joined(separator: ","))]", list, session)
  }

  private mutating func delete(_ session: ClientSession) async throws {
    guard let held else { return try await refresh(session) }
    let start = session.history.now()
    self.held = nil
    do {
      let answer = try await session.send(
        "DELETE", path, ["Collection-If-Version": held.version])
      if answer.status == 204 {
        session.add(
          .deleted(version: held.version, isAcknowledged: true), of: name, since: start)
      } else if answer.status != 412 && answer.status != 404 {
        throw Misfit(reason: "DELETE \(answer.status) \(answer.text)")
      }
    } catch is ServerEnded {
      session.add(.deleted(version: held.version, isAcknowledged: false), of: name, since: start)
      throw ServerEnded()
    }
  }

  /// Reads what there is, to go on from it.
  private mutating func refresh(_ session: ClientSession) async throws {
    let start = session.history.now()
    let answer = try await session.send("GET", path)
    if answer.status == 404 {
      held = nil
      session.add(.missing, of: name, since: start)
      return try await put(session)
    }
    let tree = try answer.tree
    let version = try known(tree["version"].string)
    let list = try HeldList(snapshot: tree)
    held = Held(version: version, list: list)
    session.read(version, list, of: name, since: start)
  }

  // MARK: Sending

  private mutating func write(
    _ method: String, _ fields: [String: String], _ body: String, _ list: HeldList?,
    _ session: ClientSession
  ) async throws {
    let start = session.history.now()
    let answer: ClientResponse
    do {
      answer = try await session.send(method, path, fields, body)
    } catch {
      session.add(.lost, of: name, since: start)
      held = nil
      throw error
    }
    switch answer.status {
    case 200, 201: try accept(answer, fields, list, session, since: start)
    case 404, 409, 412, 422:
      held = nil
      session.add(.refused, of: name, since: start)
      if answer.status == 422, list != nil {
        throw Misfit(reason: "\(method) refused: \(answer.text) \(body)")
      }
    default: throw Misfit(reason: "\(method) \(answer.status) \(answer.text)")
    }
  }

  private mutating func accept(
    _ answer: ClientResponse, _ fields: [String: String], _ list: HeldList?,
    _ session: ClientSession,
    since start: Int
  ) throws {
    let tree = try answer.tree
    let version = try known(tree["version"].string, "a version")
    guard let list = try list ?? HeldList(snapshot: tree) as HeldList? else { return }
    let previous = tree["previous"].string
    let isChange = tree["changed"].ifPresent.map { $0 == .plain("true") }
    session.add(
      .wrote(version: version, previous: previous, isChange: isChange), of: name, since: start)
    if let wanted = fields["Collection-If-Version"], isChange == true, previous != wanted {
      throw Misfit(reason: "written on \(previous ?? "-"), not on \(wanted)")
    }
    held = Held(version: version, list: list)
    session.read(version, list, of: name, since: start)
  }

  private mutating func chance(_ whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) == 0
  }
}

extension ClientSession {
  /// Tells of a whole content that was read, or written.
  func read(_ version: String, _ list: HeldList, of collection: String, since start: Int) {
    let reading = Event.Reading(
      asked: .nothing, kind: "snapshot", version: version, content: KnownContent(list))
    add(.read(reading), of: collection, since: start)
  }
}

extension HeldList {
  /// The list that a writer's body makes.
  init(written body: JSONTree) throws {
    guard !body["sections"].exists else {
      self = try HeldList(snapshot: body)
      return
    }
    let items = body["items"].ifPresent ?? body
    let section = JSONTree.object(["id": .string(""), "items": items])
    self = try HeldList(snapshot: .object(["sections": .array([section])]))
    meta = body["meta"].ifPresent
  }
}
