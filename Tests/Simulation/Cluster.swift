import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// Replicas over one store, with what kills them and starts them again.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Cluster: @unchecked Sendable {
  let world: World
  let plan: Plan
  let store: SimulatedStore
  let link: StoreLink
  let judge: Judge
  let faults: Set<FaultKind>
  let isShared: Bool
  private(set) var replicas: [Replica] = []
  let limits: ServiceLimits
  let keys: ReaderKeys
  /// Whether all who wait are being released.
  var isStopping = false
  /// Called with each change, after the judge has seen it.
  var onCommit: (SimulatedStore.Commit) -> Void = { _ in }
  private var generator: SeededGenerator
  private var network: SeededGenerator

  init(_ plan: Plan, _ world: World) {
    (self.plan, self.world) = (plan, world)
    faults = plan.chosenFaults
    keys = ReaderKeys(plan)
    generator = plan.generator(.replicas)
    network = plan.generator(.network)
    let drawn = generator.below(3)
    let count =
      switch plan.theme {
      case .races: 2 + drawn % 2
      case .views: 1
      case nil: 1 + drawn
      }
    let isAlone = generator.below(2) == 0
    var limits = ServiceLimits()
    limits.shardCount = 1 + generator.below(2)
    limits.changesMax = faults.contains(.smallLimits) ? 2 : 100
    // In some seeds workers do what shards do otherwise.
    limits.inlineBodyBytesMax = generator.below(3) == 0 ? 100 : limits.inlineBodyBytesMax
    limits.parkedMax = faults.contains(.smallLimits) ? 3 + generator.below(6) : 200
    if faults.contains(.tinyMemory) { limits.memoryBytesMax = 2000 }
    limits.retention.versionsMax = faults.contains(.shortHistory) ? 1 + generator.below(4) : 64
    self.limits = limits
    store = SimulatedStore(world, limits.retention)
    if plan.isOnDisk { store.disk = DiskStore(world, store, limits, plan) }
    isShared = store.disk == nil && (count > 1 || !isAlone)
    link = StoreLink(world, store, plan, isShared: isShared)
    judge = Judge(world, link, isShared: isShared, versionsMax: limits.retention.versionsMax)
    store.onCommit = { [unowned self] in committed($0) }
    store.onConfigure = { [unowned self] key, operation in
      judge.configured(key, operation, store.collections[key])
    }
    store.disk?.disk.onPowerLoss = { [unowned self] in powerFailed() }
    link.onFailover = { [unowned self] in judge.failedOver(to: store) }
    for number in 0..<count { replicas.append(start(number)) }
    if faults.contains(.kills) { scheduleKill() }
    if faults.contains(.dates) { scheduleJump() }
  }

  private func start(_ number: Int) -> Replica {
    let host = Host(world, SeededGenerator(seed: generator.next()))
    if faults.contains(.drift) { host.drift = generator.below(41) - 20 }
    let store = ReplicaStore(world, link, isShared: isShared)
    store.tellOthers = { [unowned self] client in tellOthers(than: number, of: client) }
    return Replica(number, host, store, limits, keys)
  }

  /// Whether faults may begin now.
  private var isFaulty: Bool { world.now < plan.seconds.seconds }

  private func scheduleKill() {
    world.after(generator.below(plan.pause(20.seconds))) { [self] in
      guard isFaulty else { return }
      let number = generator.below(replicas.count)
      let pause = generator.below(2.seconds)
      guard replicas[number].isAlive else { return scheduleKill() }
      if let disk = store.disk?.disk, generator.below(2) == 0 {
        disk.actionsUntilPowerLoss = generator.below(30)
        return scheduleKill()
      }
      world.note("replica \(number) is killed")
      replicas[number].host.kill()
      store.disk?.end()
      restart(number, after: pause) { self.scheduleKill() }
    }
  }

  private func restart(
    _ number: Int, after pause: Microseconds, then next: @escaping () -> Void
  ) {
    world.after(pause) { [self] in
      if store.disk?.open() == false {
        return restart(number, after: 500.milliseconds, then: next)
      }
      replicas[number] = start(number)
      world.note("replica \(number) starts")
      next()
    }
  }

  /// The machine of the only replica has no power, in the midst of what it was doing.
  private func powerFailed() {
    world.note("the power fails")
    store.disk?.end()
    // Otherwise it will be started anyway.
    guard replicas[0].isAlive else { return }
    replicas[0].host.kill()
    restart(0, after: 500.milliseconds) {}
  }

  private func scheduleJump() {
    world.after(generator.below(plan.pause(20.seconds))) { [self] in
      guard isFaulty else { return }
      let replica = replicas[generator.below(replicas.count)]
      replica.host.dateShift += Int64(generator.below(7200) - 3600)
      world.note("the calendar of replica \(replica.number) jumps to \(replica.host.dateShift)")
      scheduleJump()
    }
  }

  private func committed(_ commit: SimulatedStore.Commit) {
    judge.committed(commit)
    onCommit(commit)
  }

  /// Has other replicas hear of what one has written, soon or not at all.
  private func tellOthers(than writer: Int, of client: ResourceName) {
    for replica in replicas where replica.number != writer {
      if faults.contains(.lostNotices), network.below(2) == 0 { continue }
      let isDoubled = faults.contains(.doubled) && network.below(plan.oneIn(3)) == 0
      for _ in 0..<(isDoubled ? 2 : 1) {
        world.after(200 + network.below(10.milliseconds)) { replica.notify([client]) }
      }
    }
  }

  /// Passes on a message between a user and a replica, or loses it.
  func pass(_ message: @escaping () -> Void) {
    var delay = 100 + network.below(3.milliseconds)
    if faults.contains(.network), isFaulty {
      switch network.below(plan.oneIn(20)) {
      case 0: return
      case 1..<4: delay = network.below(2.seconds)
      default: break
      }
    }
    world.after(delay, message)
  }
}
