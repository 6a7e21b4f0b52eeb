@testable import CollectionService
@testable import VersionedCollections

/// A whole cluster in one thread, from one seed.
enum Simulation {
  struct Outcome {
    var plan: Plan
    /// What was found wrong first; nil if nothing was.
    var violation: String?
    /// Of all that has happened.
    var hash: UInt64
    var trace: [String]
    var eventCount: Int
    var commitCount: Int
    /// The numbers of the operations that were carried out.
    var operations: [Int]
  }

  /// Carries out a plan.
  static func run(_ plan: Plan, keepsTrace: Bool = false) -> Outcome {
    let world = World(keepsTrace: keepsTrace)
    let cluster = Cluster(plan, world)
    let users = Users(cluster)
    // Faults end with the operations; then there is time for everything that waits.
    world.run(until: plan.seconds.seconds + 12.seconds)
    finish(cluster, users)
    cluster.judge.judgeHistories()
    world.note("the end")
    cluster.store.end()
    world.end()
    return Outcome(
      plan: plan, violation: world.violations.first, hash: world.hash, trace: world.trace,
      eventCount: world.eventCount,
      commitCount: cluster.judge.commitCount,
      operations: users.numbers)
  }

  /// Judges that everybody has the newest version, and that nothing is left when all are released.
  private static func finish(_ cluster: Cluster, _ users: Users) {
    let (world, store) = (cluster.world, cluster.store)
    guard world.violations.isEmpty else { return }
    for (_, stream) in users.streams.sorted(by: { $0.key < $1.key })
    where stream.replica.isAlive && stream.isWritable {
      for key in stream.keys
      where stream.held[key].map({ cluster.judge.plain($0.version) }) != store.head(key) {
        if let viewing = stream.viewings[key], let held = stream.held[key],
          cluster.judge.isSame(held, store.head(key), viewing)
        {
          continue
        }
        world.blame(
          "stream \(stream.operation.number) has \(stream.held[key]?.version.description ?? "-"), "
            + "not \(store.head(key)?.description ?? "-")")
      }
    }
    store.disk?.judgeEnd()
    cluster.isStopping = true
    for replica in cluster.replicas where replica.isAlive {
      replica.service.releaseWaiters(over: .zero)
    }
    world.run(until: world.now + 60.seconds)
    for replica in cluster.replicas where replica.isAlive {
      for machine in replica.machines {
        let waiting = machine.waiters.all.sorted { $0.id < $1.id }.map {
          "\($0.id) \($0.phase)\($0.isLoading ? ", loading" : "")"
        }
        if !waiting.isEmpty { world.blame("\(waiting) still wait at replica \(replica.number)") }
        if machine.clients.values.contains(where: \.isPinned) {
          world.blame("a client is still pinned at replica \(replica.number)")
        }
      }
      let parked = replica.service.counters.parked.value
      if parked != 0 { world.blame("\(parked) are counted as waiting") }
    }
  }
}
