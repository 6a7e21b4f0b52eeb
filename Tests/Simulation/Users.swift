import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// Those who use the service: each operation is carried out at a time of its own.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Users: @unchecked Sendable {
  /// What one of them has of each collection.
  final class Reader: @unchecked Sendable { var held: [CollectionKey: Held] = [:] }

  let cluster: Cluster
  let world: World
  let judge: Judge
  let readers = (0..<6).map { _ in Reader() }
  /// The numbers of the operations.
  private(set) var numbers: [Int] = []
  private var nextID: UInt64 = 0
  /// Streams that have not ended.
  var streams: [UInt64: Following] = [:]

  /// Collections that are written one by one.
  static let singles = ["a", "b", "c"].compactMap { ResourceName($0) }
    .map { CollectionKey(client: ResourceName("u") ?? .changes, name: $0) }
  /// Collections that are written together.
  static let twins = ["a", "b"].compactMap { ResourceName($0) }
    .map { CollectionKey(client: ResourceName("v") ?? .changes, name: $0) }

  init(_ cluster: Cluster) {
    self.cluster = cluster
    (world, judge) = (cluster.world, cluster.judge)
    let plan = cluster.plan
    var generator = plan.generator(.users)
    let count = plan.seconds * (2 + generator.below(12))
    for number in 0..<count where plan.operations?.contains(number) != false {
      let operation = Operation(number, plan)
      numbers.append(number)
      let time = operation.generator.below(plan.seconds.seconds)
      world.after(time) { [self] in carryOut(operation) }
    }
  }

  func id() -> UInt64 {
    nextID += 1
    return nextID
  }

  private func carryOut(_ operation: Operation) {
    operation.sent = world.now
    operation.arrived = world.now
    let kind = operation.generator.below(20)
    switch kind {
    case 0..<8: write(operation, kind)
    case 8..<11: read(operation, waitSeconds: 0)
    case 11..<14: read(operation, waitSeconds: 1 + operation.generator.below(20))
    case 14: sync(operation, waitSeconds: 0)
    case 15: sync(operation, waitSeconds: 1 + operation.generator.below(20))
    case 16, 17: follow(operation, Users.twins)
    case 18: follow(operation, [operation.generator.pick(Users.singles) ?? Users.singles[0]])
    default: followFeed(operation)
    }
  }

  /// Sends a request to a replica.
  func send(
    _ operation: Operation, _ handle: @escaping (Replica) -> Void
  ) {
    let number = operation.generator.below(cluster.replicas.count)
    cluster.pass { [self] in
      let replica = cluster.replicas[number]
      guard replica.isAlive else { return world.note("\(operation.number) is refused") }
      operation.arrived = world.now
      world.note("\(operation.number) arrives at \(number)")
      handle(replica)
    }
  }

  /// Cuts a connection some time, if that is among the faults.
  func cut(_ operation: Operation, _ id: UInt64, _ replica: Replica, _ shard: Int) {
    guard cluster.faults.contains(.cuts), operation.generator.below(4) == 0 else { return }
    world.after(operation.generator.below(6.seconds)) { [self] in
      (operation.isOver, operation.isCut) = (true, true)
      streams[id] = nil
      world.note("\(operation.number) is cut")
      replica.handle(.left(id), shard)
    }
  }

  /// Has it found out if a request is not answered in time.
  func expectAnswer(_ operation: Operation, _ replica: Replica, within limit: Microseconds) {
    world.after(limit + 12.seconds) { [self] in
      if !operation.isOver, replica.isAlive { world.blame("\(operation.number) is forgotten") }
    }
  }

  /// The dialect of an operation's deltas.
  func form(_ operation: Operation) -> AnswerForm {
    (operation.generator.below(2) == 0 ? Dialect.splice : .diffable).form
  }
}
