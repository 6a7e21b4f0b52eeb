import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport

/// Asks with versions that never were, and with those of other collections.
struct Forger: TestActor {
  let collections: [String]
  private var random: SeededGenerator
  private var seen: [(collection: String, version: String)] = []

  init(_ collections: [String], seed: UInt64) {
    self.collections = collections
    random = SeededGenerator(seed: seed)
  }

  mutating func act(_ session: ClientSession) async throws {
    guard let collection = collections.randomElement(using: &random) else { return }
    guard let head = try await head(of: collection, session) else { return }
    seen = seen.suffix(20) + [(collection, head)]
    guard let (token, code) = forge(head, collection) else { return }
    let start = session.history.now()
    let isStrict = Int.random(in: 0..<3, using: &random) == 0
    let answer = try await session.send(
      "GET", path(collection) + "/delta?since=\(token)",
      isStrict ? ["Prefer": "handling=strict"] : [:])
    switch answer.status {
    case 404: session.add(.missing, of: collection, since: start)
    case 400 where code == "bad-token":
      if try answer.tree["code"].string != code { throw Misfit(reason: answer.text) }
    case 410 where isStrict:
      let given = try answer.tree["code"].string ?? ""
      if !["diverged", "lineage-changed", "history-compacted"].contains(given) {
        throw Misfit(reason: "\(token): \(answer.text)")
      }
    case 200 where isStrict:
      // It may be deleted while the answer waits for the version to come.
      if try answer.tree["kind"].string != "deleted" { throw Misfit(reason: answer.text) }
    case 200 where code != "bad-token":
      var held = HeldVersion(dialect: 0, isUnruly: false)
      let (kind, reset) = try held.take(answer.tree)
      guard let version = held.version else {
        return session.add(.missing, of: collection, since: start)
      }
      let reading = Event.Reading(
        asked: .forged(token), kind: kind, reset: reset, version: version,
        content: held.content)
      session.add(.read(reading), of: collection, since: start)
    default: throw Misfit(reason: "\(token): \(answer.status) \(answer.text)")
    }
  }

  private func path(_ collection: String) -> String {
    let names = collection.split(separator: "/")
    return "/v1/clients/\(names[0])/collections/\(names[1])"
  }

  private func head(of collection: String, _ session: ClientSession) async throws -> String? {
    let start = session.history.now()
    let answer = try await session.send("GET", path(collection))
    if answer.status == 404 {
      session.add(.missing, of: collection, since: start)
      return nil
    }
    var held = HeldVersion(dialect: 0, isUnruly: false)
    _ = try held.take(answer.tree)
    let version = try known(held.version)
    session.read(version, held.list, of: collection, since: start)
    return version
  }

  /// A token that is none of the collection's, and the code if it is none at all.
  private mutating func forge(
    _ head: String, _ collection: String
  ) -> (token: String, code: String?)? {
    let parts = head.split(separator: ".").map(String.init)
    guard parts.count == 3, let seq = Int(parts[1]) else { return nil }
    let other = parts[2].reversed().map { $0 == "A" ? "B" : "A" }.joined()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return ("\(parts[0]).\(seq).\(other)", nil)
    case 1: return ("\(parts[0]).\(max(1, seq - 3)).\(other)", nil)
    case 2: return ("\(parts[0]).\(seq + 1_000_000).\(parts[2])", nil)
    case 3: return ("\(String(parts[0].reversed()))x.\(seq).\(parts[2])", nil)
    case 4:
      let foreign = seen.filter { $0.collection != collection }.randomElement(using: &random)
      return foreign.map { ($0.version, nil) }
    default:
      let bad = ["x", "..", "a.b.c", "\(head).1", "\(parts[0]).-1.\(parts[2])"]
      return (bad.randomElement(using: &random) ?? "x", "bad-token")
    }
  }
}

/// Looks at older versions, and from one to another.
struct Historian: TestActor {
  let client: String
  let collection: String
  private var seen: [(version: String, list: HeldList)] = []
  private var random: SeededGenerator

  init(_ client: String, _ collection: String, seed: UInt64) {
    self.client = client
    self.collection = collection
    random = SeededGenerator(seed: seed)
  }

  private var path: String { "/v1/clients/\(client)/collections/\(collection)" }

  mutating func act(_ session: ClientSession) async throws {
    let answer = try await session.send("GET", path)
    guard answer.status == 200 else {
      seen = []
      return
    }
    let tree = try answer.tree
    let head = (try known(tree["version"].string), try HeldList(snapshot: tree))
    if let last = seen.last, TokenParts(last.version)?.lineage != TokenParts(head.0)?.lineage {
      seen = []
    }
    seen = seen.suffix(30) + [head]
    for _ in 0..<4 {
      if let from = seen.randomElement(using: &random), let to = seen.randomElement(using: &random)
      {
        try await compare(from, to, session)
        try await snapshot(of: to, session)
      }
    }
  }

  private mutating func compare(
    _ from: (version: String, list: HeldList), _ to: (version: String, list: HeldList),
    _ session: ClientSession
  ) async throws {
    let dialects = [0, 1, 2, 4]
    let dialect = HeldVersion.dialects[dialects.randomElement(using: &random) ?? 0]
    let path = "\(path)/delta?from=\(from.version)&to=\(to.version)&dialect=\(dialect.query)"
    let answer = try await session.send("GET", path)
    // Contents that are gone, or the collection.
    if [404, 410].contains(answer.status) { return }
    guard answer.status == 200 else { throw Misfit(reason: "\(path): \(answer.text)") }
    let delta = try answer.tree
    let result = try dialect.apply(delta, from.list)
    guard result == to.list else {
      throw Misfit(reason: "\(path): \(answer.text)\n\(from.list)\n\(to.list)")
    }
    try EnvelopeReader(delta, from.list).check(result)
  }

  private func snapshot(
    of version: (version: String, list: HeldList), _ session: ClientSession
  ) async throws {
    let answer = try await session.send("GET", "\(path)?version=\(version.version)")
    if [404, 410].contains(answer.status) { return }
    let told = try HeldList(snapshot: answer.tree)
    guard told == version.list else { throw Misfit(reason: "\(version.version): \(answer.text)") }
  }
}

/// Begins to read, and is gone.
struct DisconnectingClient: TestActor {
  let collections: [String]
  private var random: SeededGenerator

  init(_ collections: [String], seed: UInt64) {
    self.collections = collections
    random = SeededGenerator(seed: seed)
  }

  mutating func act(_ session: ClientSession) async throws {
    let names = (collections.randomElement(using: &random) ?? "").split(separator: "/")
    let path = "/v1/clients/\(names[0])/collections/\(names[1])/delta?missing=wait"
    if Bool.random(using: &random) {
      let field = session.credential().field
      guard let reader = try? EventReader(session.run.address, path, field) else {
        throw ServerEnded()
      }
      for _ in 0..<Int.random(in: 0..<3, using: &random) { _ = await reader.next() }
    } else {
      let secret = session.credential().secret
      let client = DeltaClient(session.run.address, transport: CurlTransport()) { _ in secret }
      let waiting = Task {
        try? await client.request("GET", path + "&wait=20&since=", extraMilliseconds: 20_000)
      }
      for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
      waiting.cancel()
      _ = await waiting.value
    }
  }
}
