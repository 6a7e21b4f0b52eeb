import HTTPTestSupport
import LiveDeltaClient
import TestSupport

/// Follows one collection by events for as long as the server runs, or for a few events.
struct StreamReader: TestActor {
  let client: String
  let collection: String
  private var held: HeldVersion
  private var random: SeededGenerator

  init(_ client: String, _ collection: String, dialect: Int, isUnruly: Bool = false, seed: UInt64) {
    self.client = client
    self.collection = collection
    held = HeldVersion(dialect: dialect, isUnruly: isUnruly)
    random = SeededGenerator(seed: seed)
  }

  private var name: String { "\(client)/\(collection)" }

  mutating func act(_ session: ClientSession) async throws {
    let start = session.history.now()
    let isHeaderUsed = Bool.random(using: &random)
    var path =
      "/v1/clients/\(client)/collections/\(collection)/delta?dialect=\(held.query)&missing=wait"
    if !isHeaderUsed { path += "&since=\(held.version ?? "")" }
    let fields = isHeaderUsed ? held.version.map { ["Last-Event-ID": $0] } ?? [:] : [:]
    guard let reader = try await session.events(path, fields) else { return }
    var left = Int.random(in: 0..<60, using: &random)
    while left > 0, let event = await reader.next() {
      if event.name == "end" { return }
      left -= 1
      try take(event, session, since: start)
    }
    if left > 0, session.run.isOn { throw Misfit(reason: "the events of \(name) broke off") }
  }

  private mutating func take(
    _ event: SourceEvent, _ session: ClientSession, since start: Int
  ) throws {
    let asked = held.version
    let before = asked.flatMap { TokenParts($0) }
    let (kind, reset): (String, String?)
    do {
      (kind, reset) = try held.take(JSONTree(parsing: Array(event.data.utf8)))
    } catch {
      held = HeldVersion(dialect: held.dialect, isUnruly: held.isUnruly)
      throw Misfit(reason: "\(name), \(event): \(error)")
    }
    guard let version = held.version else { return session.add(.missing, of: name, since: start) }
    guard event.id == version else {
      throw Misfit(reason: "the event's id is \(event.id ?? "-"), held is \(version)")
    }
    if let before, let now = TokenParts(version), before.lineage == now.lineage,
      before.seq > now.seq
    {
      throw Misfit(reason: "back from \(before.seq) to \(now.seq)")
    }
    let reading = Event.Reading(
      asked: asked.map { .held($0) } ?? .nothing, kind: kind, reset: reset, version: version,
      content: held.content)
    session.add(.read(reading), of: name, since: start)
  }
}

/// Reads what is always written together, in one answer or as one stream, and sees both or none.
struct PairReader: TestActor {
  static let names = ["left", "right"]
  let client: String
  private var held = names.map { _ in HeldVersion(dialect: 0, isUnruly: false) }
  private var random: SeededGenerator

  init(_ client: String, seed: UInt64) {
    self.client = client
    random = SeededGenerator(seed: seed)
  }

  mutating func act(_ session: ClientSession) async throws {
    if Int.random(in: 0..<4, using: &random) == 0 { return try await follow(session) }
    let start = session.history.now()
    let entries = zip(Self.names, held).map { name, held in
      "\"\(name)\":" + (held.version.map { "\"\($0)\"" } ?? "null")
    }
    let wait = Int.random(in: 0..<3, using: &random)
    let answer = try await session.send(
      "POST", "/v1/clients/\(client)/sync", [:],
      #"{"collections":{\#(entries.joined(separator: ","))},"wait":\#(wait)}"#)
    guard answer.status == 200 else { throw Misfit(reason: "sync: \(answer.text)") }
    try take(answer.tree, session, since: start)
  }

  private mutating func follow(_ session: ClientSession) async throws {
    let start = session.history.now()
    let entries = zip(Self.names, held).map { name, held in "\(name):\(held.version ?? "")" }
    let path =
      "/v1/clients/\(client)/sync?collections=\(entries.joined(separator: ","))&missing=wait"
    guard let reader = try await session.events(path) else { return }
    var left = Int.random(in: 1..<20, using: &random)
    while left > 0, let event = await reader.next() {
      if event.name == "end" { return }
      if event.name == "sync" {
        try take(JSONTree(parsing: Array(event.data.utf8)), session, since: start)
      }
      left -= 1
    }
    if left > 0, session.run.isOn { throw Misfit(reason: "the events of both broke off") }
  }

  private mutating func take(_ answer: JSONTree, _ session: ClientSession, since start: Int) throws
  {
    for (index, name) in Self.names.enumerated() {
      guard let news = answer["collections"][name].ifPresent else { continue }
      let asked = held[index].version
      let (kind, reset): (String, String?)
      do {
        (kind, reset) = try held[index].take(news)
      } catch {
        held[index] = HeldVersion(dialect: 0, isUnruly: false)
        throw Misfit(reason: "sync: \(error) \(answer.text)")
      }
      guard let version = held[index].version else { continue }
      let reading = Event.Reading(
        asked: asked.map { .held($0) } ?? .nothing, kind: kind, reset: reset, version: version,
        content: held[index].content)
      session.add(.read(reading), of: "\(client)/\(name)", since: start)
    }
    let numbers = held.map(\.pairNumber)
    session.add(.pair(numbers[0], numbers[1]), of: "\(client)/left", since: start)
  }
}

extension HeldVersion {
  /// What both of a pair show; nil when there is none.
  var pairNumber: Int? {
    guard version != nil else { return nil }
    return list.rowsByID["pair"]?.content["n"].int
  }
}
