import DeltaEngine
import HTTPTestSupport
import LiveDeltaClient
import TestSupport

/// Follows one collection with the project's own client; its deltas are judged by the simulator.
struct Replica: TestActor {
  let client: String
  let collection: String
  private var replica = CollectionReplica()
  private var older: [CollectionReplica] = []
  private var random: SeededGenerator
  init(_ client: String, _ collection: String, seed: UInt64) {
    self.client = client
    self.collection = collection
    random = SeededGenerator(seed: seed)
  }

  private var name: String { "\(client)/\(collection)" }

  mutating func act(_ session: ClientSession) async throws {
    var asking = replica
    if let old = older.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
      asking = old
    }
    let start = session.history.now()
    let asked = asking.version
    guard let answer = try await answer(since: asking, session) else {
      replica = CollectionReplica()
      return session.add(.missing, of: name, since: start)
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
    case .deleted: return session.add(.missing, of: name, since: start)
    }
    replica = asking
    older = older.suffix(8) + [asking]
    let reading = Event.Reading(
      asked: asked.map { .held($0) } ?? .nothing, kind: kind, reset: reset,
      version: try known(asking.version), content: KnownContent(try asking.list))
    session.add(.read(reading), of: name, since: start)
  }

  private mutating func answer(
    since held: CollectionReplica, _ session: ClientSession
  ) async throws -> DeltaAnswer? {
    let address = CollectionAddress(client: client, name: collection)
    let wait = Bool.random(using: &random) ? 1 : nil
    let kind = Int.random(in: 0..<4, using: &random) == 0 ? TransportKind.urlSession : .curl
    do {
      return try await session.authorized { credential -> DeltaAnswer?? in
        do {
          return try await kind.client(at: session.run.address, token: credential.secret).delta(
            of: address, since: held.version, wait: wait, patchesItems: held.takesItemPatches
          ).value
        } catch ClientError.problem(let problem) where problem.status == 404 {
          return .some(nil)
        } catch ClientError.problem(let problem) where problem.status == 401 {
          return nil
        }
      }
    } catch let error as Misfit {
      throw error
    } catch {
      if session.run.isOn { throw Misfit(reason: "\(error)") }
      throw ServerEnded()
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
            id: JSONTree.distinct(section.id.text), header: try JSONTree(parsing: section.header),
            rows: try section.items.map {
              HeldList.Row(
                id: JSONTree.distinct($0.id.text), content: try JSONTree(parsing: $0.json))
            })
        }, meta: try meta.map { try JSONTree(parsing: $0) })
    }
  }
}
