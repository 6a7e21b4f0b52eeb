import DeltaEngine
import LiveCollectionsClient
import TestSupport

/// Follows one collection with the project's own client; its deltas are judged by the simulator.
struct Replica: Player {
  let client: String
  let collection: String
  private var replica = CollectionReplica()
  private var older: [CollectionReplica] = []
  private var random: SeededGenerator
  /// Its own connection for typed calls, made anew with each life.
  private var connection: DeltaClient?

  init(_ client: String, _ collection: String, seed: UInt64) {
    self.client = client
    self.collection = collection
    random = SeededGenerator(seed: seed)
  }

  private var name: String { "\(client)/\(collection)" }

  mutating func play(_ desk: Desk) async throws {
    var asking = replica
    if let old = older.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
      asking = old
    }
    let start = desk.history.now()
    let asked = asking.version
    guard let answer = try await answer(since: asked, desk) else {
      replica = CollectionReplica()
      return desk.add(.missing, of: name, since: start)
    }
    let change = try asking.apply(answer)
    var kind = "snapshot"
    var reset: String?
    switch change {
    case .updated(let update):
      kind = "delta"
      try Simulator.check(update.delta, from: update.source, to: update.target)
    case .unchanged: kind = "unchanged"
    case .replaced(_, let reason): reset = reason?.reason
    case .deleted: return desk.add(.missing, of: name, since: start)
    }
    replica = asking
    older = older.suffix(8) + [asking]
    let reading = Event.Reading(
      asked: asked.map { .held($0) } ?? .nothing, kind: kind, reset: reset,
      version: try known(asking.version), content: KnownContent(try asking.list))
    desk.add(.read(reading), of: name, since: start)
  }

  private mutating func answer(since: String?, _ desk: Desk) async throws -> DeltaAnswer? {
    if connection?.address != desk.life.address { connection = DeltaClient(desk.life.address) }
    let address = CollectionAddress(client: client, name: collection)
    let wait = Bool.random(using: &random) ? 1 : nil
    do {
      return try await connection?.delta(of: address, since: since, wait: wait).value
    } catch ClientError.problem(let problem) where problem.status == 404 {
      return nil
    } catch {
      if desk.life.isOn { throw Misfit(reason: "\(error)") }
      throw LifeEnded()
    }
  }
}

extension CollectionReplica {
  /// What it shows, as the other readers have it.
  fileprivate var list: HeldList {
    get throws {
      HeldList(
        sections: try sections.map { section in
          HeldList.Section(
            id: section.id, header: try Tree(section.header),
            rows: try section.items.map { HeldList.Row(id: $0.id, content: try Tree($0.json)) })
        }, meta: try meta.map { try Tree($0) })
    }
  }
}
