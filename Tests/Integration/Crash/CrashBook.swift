import LiveDeltaClient
import TestSupport

/// What is known of one collection by those who write and read it.
struct CrashBook: Sendable {
  /// A write, so that it can be sent again.
  struct Write: Sendable {
    var key: String
    /// The items; nil to delete the collection.
    var items: [String]?
  }

  /// What a reader was told in one life of the service.
  struct Reading: Sendable {
    /// One for each version.
    var replicas: [CollectionReplica] = []
    /// Why answers were dropped.
    var dropped: [ReplicaError] = []
  }

  let number: Int
  private var generator: SeededGenerator
  /// The items that the head has; nil when there is no collection.
  private var items: [String]?
  private var version: String?
  private var nextKey = 0
  private var nextItem = 0
  /// Writes that were acknowledged, with what they were answered with.
  private var answered: [(write: Write, status: Int, version: String?)] = []
  /// A write whose answer did not come.
  private var pending: Write?
  /// What readers hold, one replica a version.
  private var held: [CollectionReplica] = []
  /// The items of the versions that were acknowledged since the last restart, and of the head before.
  private var contents: [String: [String]] = [:]
  private(set) var acknowledged = 0
  private(set) var judged = 0
  private(set) var faults: [String] = []

  init(number: Int, seed: UInt64) {
    self.number = number
    generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
  }

  private var address: CollectionAddress {
    CollectionAddress(client: "client\(number % 3)", name: "list\(number)")
  }

  /// Judges each version that a reader held, and keeps the last ones for later.
  mutating func hold(_ reading: Reading) {
    for reason in reading.dropped { fault("a reader was told what does not fit: \(reason)") }
    for replica in reading.replicas {
      let version = replica.version ?? ""
      guard let written = contents[version], written != Self.shown(by: replica) else { continue }
      fault("a reader at \(version) holds something else than was written")
    }
    judged += reading.replicas.count
    held += reading.replicas.suffix(8)
    // Old ones too: they are to be told honestly that they are old.
    while held.count > 24 { held.remove(at: Int.random(in: 0..<held.count, using: &generator)) }
  }

  // MARK: While it runs

  /// Writes until the service is gone, and tells of each write that it goes out.
  mutating func write(_ client: DeltaClient, onSend: () -> Void) async {
    while true {
      if Int.random(in: 0..<12, using: &generator) == 0,
        let old = answered.randomElement(using: &generator)
      {
        guard await replay(old, client) else { return }
      }
      let write = nextWrite()
      pending = write
      onSend()
      guard let answer = try? await Self.send(write, to: address, client),
        !Self.isRefusedAtTheEnd(answer)
      else { return }
      note(write, answer)
    }
  }

  /// Reads until the service is gone.
  func follow(_ client: DeltaClient) async -> Reading {
    var follower = CollectionFollower(client, address)
    var reading = Reading()
    while true {
      do {
        let news = try await follower.next(wait: 1)
        if let reason = news.dropped { reading.dropped.append(reason) }
        let version = follower.replica.version
        if version != nil, reading.replicas.last?.version != version {
          reading.replicas.append(follower.replica)
        }
      } catch {
        guard case .problem = error else { return reading }
      }
    }
  }

  private mutating func nextWrite() -> Write {
    nextKey += 1
    let key = "book\(number)-\(nextKey)"
    if items != nil, Int.random(in: 0..<300, using: &generator) == 0 {
      return Write(key: key, items: nil)
    }
    var next = items ?? []
    for _ in 0...Int.random(in: 0...4, using: &generator) {
      let place = Int.random(in: 0...next.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where !next.isEmpty: next.remove(at: min(place, next.count - 1))
      case 1 where !next.isEmpty: next.append(next.remove(at: min(place, next.count - 1)))
      case 2 where !next.isEmpty:
        let index = min(place, next.count - 1)
        let id = next[index].split(separator: ",")[0]
        next[index] = "\(id),\"v\":\(nextKey)}"
      default:
        nextItem += 1
        if next.count < 200 { next.insert("{\"id\":\"i\(nextItem)\",\"v\":0}", at: place) }
      }
    }
    return Write(key: key, items: next)
  }

  private static func send(
    _ write: Write, to address: CollectionAddress, _ client: DeltaClient
  ) async throws -> ClientResponse {
    let fields = [
      HeaderField("Idempotency-Key", "\"\(write.key)\""),
      HeaderField("Content-Type", "application/json"),
    ]
    let body = write.items.map { Array("[\($0.joined(separator: ","))]".utf8) }
    return try await client.request(
      write.items == nil ? "DELETE" : "PUT", address.path, fields: fields, body: body)
  }

  /// Whether a service that drains refuses a write; what became of it shows after the restart.
  private static func isRefusedAtTheEnd(_ answer: ClientResponse) -> Bool { answer.status == 503 }

  private mutating func note(_ write: Write, _ answer: ClientResponse) {
    pending = nil
    guard 200...299 ~= answer.status else {
      return fault("\(write.key) got \(answer.status): \(answer.text)")
    }
    acknowledged += 1
    let token = write.items == nil ? nil : answer["Collection-Version"]
    if let token { checkSequence(token, write) }
    if let token { contents[token] = write.items }
    items = write.items
    version = token
    answered.append((write, answer.status, token))
    if answered.count > 200 { answered.removeFirst(50) }
  }

  /// Numbers have no gaps within a lineage.
  private mutating func checkSequence(_ token: String, _ write: Write) {
    let (parts, before) = (token.split(separator: "."), version?.split(separator: "."))
    guard let before else {
      if parts[1] != "1" { fault("\(token) is the first version") }
      return
    }
    guard parts[0] == before[0], let number = Int(parts[1]), let last = Int(before[1]) else {
      return fault("\(token) follows \(version ?? "")")
    }
    let isSame = write.items == items
    if number != (isSame ? last : last + 1) { fault("\(token) follows \(version ?? "")") }
  }

  private mutating func replay(
    _ old: (write: Write, status: Int, version: String?), _ client: DeltaClient
  ) async -> Bool {
    guard let answer = try? await Self.send(old.write, to: address, client),
      !Self.isRefusedAtTheEnd(answer)
    else { return false }
    if answer["Idempotency-Replayed"] != "true" || answer.status != old.status {
      fault("\(old.write.key) was answered \(old.status), now \(answer.status), not replayed")
    } else if let version = old.version, JSONTree(answer.body)["version"].string != version {
      fault("\(old.write.key) made \(version), replayed as \(answer.text)")
    }
    return true
  }

  private mutating func fault(_ text: String) { faults.append("list\(number): \(text)") }

  // MARK: After a restart

  /// Sees that all is there, and that each token works.
  mutating func verify(_ client: DeltaClient, _ counts: inout CrashCounts) async throws {
    contents = contents.filter { $0.key == version }
    if let pending {
      let answer = try await Self.send(pending, to: address, client)
      if answer["Idempotency-Replayed"] == "true" {
        counts.committed += 1
      } else {
        counts.lost += 1
      }
      note(pending, answer)
    }
    for old in [answered.first, answered.last, answered.randomElement(using: &generator)] {
      guard let old else { continue }
      if await !replay(old, client) { fault("\(old.write.key) is not answered") }
      counts.replays += 1
    }
    guard let version else {
      let answer = try await client.request("GET", address.path)
      if answer.status != 404 { fault("was deleted, and is there: \(answer.status)") }
      return
    }
    let head = try await client.snapshot(of: address).value
    if head.version != version { fault("is at \(head.version), acknowledged was \(version)") }
    var reader = CollectionReplica()
    _ = try reader.apply(.snapshot(head))
    check(reader, "the snapshot")
    for replica in held {
      var replica = replica
      let answer = try await client.delta(of: address, since: replica.version).value
      counts.tokens += 1
      switch try replica.apply(answer) {
      case .replaced(_, let reset): counts.resets[reset?.reason ?? "none", default: 0] += 1
      case .deleted: fault("is told to be deleted")
      default: counts.deltas += 1
      }
      check(replica, "a reader")
    }
  }

  private mutating func check(_ replica: CollectionReplica, _ who: String) {
    if Self.shown(by: replica) != items ?? [] {
      fault("\(who) at \(replica.version ?? "-") holds something else")
    }
    if replica.version != version { fault("\(who) is at \(replica.version ?? "-")") }
  }

  private static func shown(by replica: CollectionReplica) -> [String] {
    replica.sections.flatMap(\.items).map { String(decoding: $0.json, as: UTF8.self) }
  }
}
