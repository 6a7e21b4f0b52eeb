import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// Those who use the service: each operation is carried out at a time of its own.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Users: @unchecked Sendable {
  /// What one of them has of each collection.
  final class Reader: @unchecked Sendable {
    var held: [CollectionKey: Held] = [:]
    let number: Int
    let dialect: Dialect
    /// The view that it has of each collection; none for all of it.
    let views: [CollectionKey: PageView]

    init(_ number: Int, _ dialect: Dialect, _ views: [CollectionKey: PageView] = [:]) {
      (self.number, self.dialect, self.views) = (number, dialect, views)
    }
  }

  let cluster: Cluster
  let world: World
  let judge: Judge
  let keys: ReaderKeys
  /// Those who read all; then two who ask for views, one on whom a view is imposed, and one of both.
  let readers: [Reader]
  /// The number of readers who read all of each collection.
  static let plainCount = 6
  /// Whether most users write, and delete, the same collection.
  let isHectic: Bool
  /// Whether users act one after the other.
  let isRushed: Bool
  /// How many act one after the other.
  private let rush: Int
  /// What users may do, by number; in some seeds they do only some of it.
  private let kinds: [Int]
  /// The numbers of the operations.
  private(set) var numbers: [Int] = []
  /// Streams that have not ended, by the numbers of operations.
  var streams: [Int: Following] = [:]
  /// Readers who wait to be answered, likewise.
  var waiting: [Int: Waiting] = [:]
  /// Readers of the feed, likewise.
  var feeds: [Int: FeedReading] = [:]
  let feedReader = Reader(ReaderKeys.feedReader, .staged)
  /// The version of each collection that a writer has been told of last.
  var written: [CollectionKey: VersionToken] = [:]
  /// What a reader of the feed had when its stream ended or was cut.
  var lastFeed: FeedReading?

  private static func keys(of client: String, _ names: [String]) -> [CollectionKey] {
    names.compactMap { ResourceName($0) }
      .map { CollectionKey(client: ResourceName(client) ?? .changes, name: $0) }
  }

  /// Collections that are written one by one; most of the time the first three.
  static let singles =
    keys(of: "u", ["a", "b", "c"]) + keys(of: "x", ["d"]) + keys(of: "y", ["d", "e"])
  /// Collections that are written together.
  static let twins = keys(of: "v", ["a", "b"])

  init(_ cluster: Cluster) {
    self.cluster = cluster
    (world, judge, keys) = (cluster.world, cluster.judge, cluster.keys)
    let plan = cluster.plan
    readers = Self.readers(plan)
    var generator = plan.generator(.users)
    // In some seeds much happens at once, and much is deleted.
    isHectic = plan.isRace || generator.below(3) == 0
    isRushed = plan.isRace || generator.below(3) == 0 || plan.theme == .views
    let rush = plan.isRace ? 2 + generator.below(5) : isRushed ? 3 + generator.below(10) : 1
    let patience = [3, 10, 40][generator.below(3)].milliseconds
    // Between two rushes of a race there is time in which nothing else tells those who wait.
    let isLong = generator.below(2) == 1 || plan.theme == .races
    let pause = (isLong ? 1300 : 300).milliseconds
    let count =
      plan.isRace
      ? plan.seconds.seconds / pause * rush : plan.seconds * (2 + generator.below(12))
    let rhythms =
      isHectic ? [1, 200.milliseconds, 1.seconds, 2.seconds] : [1, 1, 200.milliseconds]
    let rhythm = rhythms[generator.below(rhythms.count)]
    // It happens exactly then, or within the time that the store takes.
    let spread = [1, 10.milliseconds, 60.milliseconds][generator.below(3)]
    switch plan.theme {
    case .races: kinds = Self.writes + Self.writes + Self.reads + Self.waits + Self.streams
    case .views: kinds = Array(Self.writes.prefix(9)) + Self.reads + Self.reads + Self.waits
    case nil: kinds = Self.kinds(&generator) + (plan.isRace ? Array(repeating: 0, count: 40) : [])
    }
    self.rush = rush
    cluster.onCommit = { [unowned self] in expectNews(of: $0) }
    for first in stride(from: 0, to: count, by: rush) {
      let numbers = (first..<min(first + rush, count)).filter {
        plan.operations?.contains($0) != false
      }
      self.numbers += numbers
      var draws = Operation(first, plan).generator
      var time = draws.below(plan.seconds.seconds)
      time = time - time % rhythm + draws.below(spread)
      if plan.isRace { time = first / rush * pause }
      world.after(time) { [self] in carryOut(numbers[...], patience: patience) }
    }
  }

  /// Has operations carried out one after the other: each when the one before is over, or after some time.
  private func carryOut(_ numbers: ArraySlice<Int>, patience: Microseconds) {
    guard let number = numbers.first else { return }
    let operation = Operation(number, cluster.plan)
    // What is drawn for the first one's time.
    for _ in 0..<2 { _ = operation.generator.next() }
    if numbers.count > 1 {
      operation.onEnd = { [self, unowned operation] in
        operation.onEnd = nil
        world.after(1) { [self] in carryOut(numbers.dropFirst(), patience: patience) }
      }
      world.after(patience) { operation.onEnd?() }
    }
    carryOut(operation)
  }

  /// Numbers of kinds of operations on one collection, as ``carryOut(_:)`` has them: as many as it is to be frequent.
  private static let (writes, reads, waits, streams) =
    (Array(repeating: 0, count: 15), Array(16..<22), Array(22..<28), Array(repeating: 36, count: 8))

  private static func readers(_ plan: Plan) -> [Reader] {
    var generator = plan.generator(.views)
    return (0..<plainCount + 4).map { number in
      let dialect = [Dialect.splice, .diffable, .staged][number % 3]
      guard number >= plainCount else { return Reader(number, dialect) }
      var views: [CollectionKey: PageView] = [:]
      let imposed = number < plainCount + 2 ? PageView() : .imposed
      for key in singles + twins {
        views[key] = number == plainCount + 2 ? imposed : .random(under: imposed, &generator)
      }
      return Reader(number, dialect, views)
    }
  }

  /// What users do in a seed: everything, or write and do about half of the rest.
  private static func kinds(_ generator: inout SeededGenerator) -> [Int] {
    let groups = [0..<15, 15..<16, 16..<22, 22..<28, 28..<32, 32..<38, 38..<40]
    let doesAll = generator.below(2) == 0
    return groups.filter { doesAll || $0.lowerBound == 0 || generator.below(2) == 0 }
      .flatMap { Array($0) }
  }

  /// A collection that is written alone.
  func pick(_ operation: Operation) -> CollectionKey {
    if cluster.plan.theme == .races { return Self.singles[[0, 3, 4][operation.number / rush % 3]] }
    let isRare = operation.generator.below(4) == 0
    let count = isRare ? Self.singles.count : isHectic ? 1 : 3
    return Self.singles[operation.generator.below(count)]
  }

  private func carryOut(_ operation: Operation) {
    operation.sent = world.now
    operation.arrived = world.now
    let kind = kinds[operation.generator.below(kinds.count)]
    switch kind {
    case 0..<15: write(operation, kind / 2)
    case 15: deleteAll(operation)
    case 16..<22: read(operation, waitSeconds: 0)
    case 22..<28: read(operation, waitSeconds: 1 + operation.generator.below(20))
    case 28, 29: sync(operation, waitSeconds: 0)
    case 30, 31: sync(operation, waitSeconds: 1 + operation.generator.below(20))
    case 32..<35: follow(operation, Users.twins)
    case 35: follow(operation, Array(Users.singles.prefix(3)))
    case 36, 37: follow(operation, [pick(operation)])
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
      operation.firstArrived = min(operation.firstArrived, world.now)
      world.note("\(operation.number) arrives at \(number)")
      handle(replica)
    }
  }

  // MARK: Time

  /// Has it found out if a request is not answered in time.
  func expectAnswer(_ operation: Operation, _ replica: Replica, within limit: Microseconds) {
    let start = world.now
    let isLate = { !operation.isOver && replica.isAlive }
    world.after(limit * 103 / 100 + 2500.milliseconds) { [self] in
      if isLate(), !judge.isTroubled(max(0, start - 4.seconds)...world.now) {
        world.blame("\(operation.number) is answered late")
      }
    }
    world.after(limit * 103 / 100 + 12.seconds) { [self] in expectEnd(of: operation, isLate) }
  }

  /// Has it found out if a request is not answered some seconds after the store was in trouble: what it asks of a store
  /// that is slow may have to be read several times, as others write it meanwhile.
  private func expectEnd(of operation: Operation, _ isLate: @escaping () -> Bool) {
    guard isLate() else { return }
    if judge.isTroubled(max(0, world.now - 4.seconds)...world.now) {
      return world.after(4.seconds) { [self] in expectEnd(of: operation, isLate) }
    }
    world.blame("\(operation.number) is forgotten")
  }

  /// How late a change may be for those who wait for it.
  private var newsDelay: Microseconds {
    if !cluster.isShared { return 100.milliseconds }
    // Who was killed tells nobody of its last write, and who does not know its outcome tells late.
    let faults: Set<FaultKind> = [.lostNotices, .kills, .unknownCommits]
    if !cluster.faults.isDisjoint(with: faults) { return 1500.milliseconds }
    return cluster.faults.contains(.lateLists) ? 500.milliseconds : 400.milliseconds
  }

  /// Has it found out if those who wait for a change do not get it in time.
  private func expectNews(of commit: SimulatedStore.Commit) {
    let time = world.now
    world.after(newsDelay) { [self] in
      guard let place = judge.place(of: commit), world.violations.isEmpty,
        !judge.isTroubled(max(0, time - 4.seconds)...world.now)
      else { return }
      let name = "\(commit.key.name.text) at \(time)"
      for (_, stream) in streams.sorted(by: { $0.key < $1.key })
      where stream.isWaiting(since: time) && stream.keys.contains(commit.key)
        && judge.lacks(
          stream.held[commit.key], place, commit.key, stream.viewings[commit.key])
      {
        world.blame("stream \(stream.operation.number) is not sent \(name)")
      }
      for (_, reader) in waiting.sorted(by: { $0.key < $1.key })
      where reader.isWaiting(since: time) && reader.keys.contains(commit.key)
        && judge.lacks(
          reader.held[commit.key], place, commit.key, reader.viewings[commit.key])
      {
        world.blame("reader \(reader.operation.number) is not told of \(name)")
      }
      for (_, feed) in feeds.sorted(by: { $0.key < $1.key })
      where feed.isWaiting(since: time) && feed.lacks(commit, judge) {
        world.blame("feed \(feed.operation.number) is not told of \(name)")
      }
    }
  }
}
