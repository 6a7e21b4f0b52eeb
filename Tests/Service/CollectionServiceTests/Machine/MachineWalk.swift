import DeltaEngine
import Synchronization
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// A random sequence of events, and what must hold of it whatever the order.
final class MachineWalk {
  private let seed: UInt64
  private var generator: SeededGenerator
  private let bench: MachineBench
  /// Another replica over the same store, which does everything at once; nil if the store is not
  /// shared.
  private let replica: MachineBench?
  private let store = MachineStore()
  private let answers = MachineAnswers()
  private let replicaAnswers = MachineAnswers()
  private var nextID: UInt64 = 0
  private var readers: Set<UInt64> = []
  private var pairs: Set<UInt64> = []
  private var streams: Set<UInt64> = []
  /// Readers of the feed of changes.
  private var feeds: [UInt64: FeedReader] = [:]
  private var writers: Set<UInt64> = []
  private var left: Set<UInt64> = []
  /// When versions were replaced, as far as their writers know.
  private let replaced = ReplacedVersions()
  private let staleCount = SharedNumber(0)
  /// Versions that were heads.
  private var known: [CollectionKey: [VersionToken]] = [:]

  /// Collections that are written one by one.
  private let singles = ["a", "b", "c"].map { CollectionKey(client: name("u"), name: name($0)) }
  /// Collections that are always written together, with the same contents.
  private let twins = ["a", "b"].map { CollectionKey(client: name("v"), name: name($0)) }

  init(seed: UInt64, isShared: Bool) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    var limits = ServiceLimits()
    (limits.memoryBytesMax, limits.shardCount, limits.parkedMax) = (9000, 1, 16)
    // One fewer than there are collections, so that slow readers of the feed miss some.
    bench = MachineBench(store, isShared: isShared, seed: seed, limits: limits, changesMax: 4)
    replica = isShared ? MachineBench(store, isShared: true, seed: seed + 1) : nil
    for bench in [bench, replica].compactMap(\.self) {
      bench.onCommit = { [unowned self] writes in
        // The clocks of the benches differ; that of the one that reads counts.
        for write in writes { replaced.add(write.old, self.bench.moment.uptime) }
      }
    }
  }

  private func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private func id() -> UInt64 {
    nextID += 1
    return nextID
  }

  // MARK: Steps

  func step() {
    switch random(28) {
    case 0..<10: if !bench.pending.isEmpty { bench.give(random(bench.pending.count)) }
    case 10..<13: read()
    case 13: readTwins()
    case 14: follow()
    case 15..<18: write(bench, answers)
    case 18: replicate()
    case 19:
      if let id = (readers.union(streams)).sorted().randomElement(using: &generator) { leave(id) }
    case 20:
      if let id = readers.sorted().randomElement(using: &generator) { bench.handle(.waitEnded(id)) }
    case 21:
      if let id = streams.sorted().randomElement(using: &generator) { bench.handle(.writable(id)) }
    case 22: bench.handle(.evict)
    case 23:
      if replica != nil { bench.handle(.othersWrote(random(2) == 0 ? nil : [twins[0].client])) }
    case 24: sync()
    case 25: followFeed()
    default: bench.advance(by: .milliseconds(random(900)))
    }
    for key in singles + twins {
      if let head = store.head(key), known[key]?.contains(head) != true {
        known[key, default: []].append(head)
      }
    }
  }

  private func leave(_ id: UInt64) {
    left.insert(id)
    bench.handle(.left(id))
  }

  private func read() {
    let (id, key) = (id(), singles[random(3)])
    readers.insert(id)
    let since = random(3) == 0 ? nil : known[key]?.randomElement(using: &generator)
    let check = staleCheck()
    bench.handle(
      .read(
        id, key, since: since, wait: random(2) * 20, forCollection: random(4) == 0,
        view: view(), answers
      ) { check($0.map { [$0] } ?? []) })
  }

  /// Mostly none; one that every item is in, or one that no item is in.
  private func view() -> ViewQuery? {
    switch random(6) {
    case 0: try? ViewQuery([("where", "/id:exists"), ("window", "last:2")])
    case 1: try? ViewQuery([("where", "/nothing:exists")])
    default: nil
    }
  }

  /// Counts the versions that were replaced too long before now.
  private func staleCheck() -> @Sendable ([VersionToken]) -> Void {
    let oldest = bench.moment.uptime - (replica == nil ? .zero : .seconds(1))
    return { [replaced, staleCount] versions in
      staleCount.value += versions.count { replaced[$0].map { $0 < oldest } ?? false }
    }
  }

  private func readTwins() {
    let id = id()
    pairs.insert(id)
    readers.insert(id)
    let wait = random(2) * 20
    bench.handle(.sync(id, twins, since: [nil, nil], wait: wait, answers, staleCheck()))
  }

  private func sync() {
    let id = id()
    readers.insert(id)
    let first = random(3)
    let keys = [singles[first], singles[(first + 1) % 3]]
    let since = keys.map { key in
      random(3) == 0 ? nil : known[key]?.randomElement(using: &generator)
    }
    let wait = random(2) * 20
    bench.handle(.sync(id, keys, since: since, wait: wait, view: view(), answers, staleCheck()))
  }

  /// Follows the feed from now on, or from where another reader of it was.
  private func followFeed() {
    let id = id()
    streams.insert(id)
    let earlier = feeds[feeds.keys.sorted().randomElement(using: &generator) ?? 0]
    let reader = FeedReader(
      store, random(2) == 0 ? earlier : nil, pattern: .random(in: 0...UInt64.max, using: &generator)
    )
    feeds[id] = reader
    bench.handle(.followFeed(id, reader, answers))
  }

  private func follow() {
    let (id, key) = (id(), singles[random(3)])
    streams.insert(id)
    let pattern = UInt64.random(in: 0...UInt64.max, using: &generator)
    let count = SharedNumber(0)
    bench.handle(
      .follow(
        id, key, since: known[key]?.randomElement(using: &generator), view: view(), answers
      ) {
        count.value += 1
        return pattern >> UInt64(count.value % 64) & 1 == 1
      })
  }

  private func write(_ bench: MachineBench, _ answers: MachineAnswers) {
    let id = id()
    if bench === self.bench { writers.insert(id) }
    let keys = random(3) == 0 ? twins : [singles[random(3)]]
    let ids = (0..<random(4)).map { "{\"id\":\($0 * 10 + random(10))}" }
    let key =
      random(3) == 0
      ? IdempotencyKey(text: "k\(random(5))", fingerprint: ContentHash(high: 0, low: id)) : nil
    bench.handle(
      .put(
        id, keys, "[" + ids.joined(separator: ",") + "]", key: key, isDeletion: random(6) == 0,
        answers))
  }

  private func replicate() {
    guard let replica else { return }
    write(replica, replicaAnswers)
    replica.giveAll()
    replica.advance(by: .seconds(2))
    if random(2) == 0 { bench.handle(.othersWrote(singles.map(\.client))) }
  }

  // MARK: The end

  /// Checks that nobody was forgotten.
  func finish() {
    bench.giveAll()
    settle()
    checkWaiting()
    bench.advance(by: .seconds(60))
    settle()
    for id in readers {
      let count = answers[id].count
      #expect(left.contains(id) ? count <= 1 : count == 1, "reader \(id), seed \(seed)")
    }
    for id in pairs {
      let contents = Set((answers[id].first ?? "").split(separator: ", ").map { $0.dropFirst(2) })
      #expect(contents.count <= 1, "reader \(id) saw half of a batch: \(contents), seed \(seed)")
    }
    for id in writers { #expect(answers[id].count == 1, "writer \(id), seed \(seed)") }
    checkFeeds()
    bench.handle(.release(over: .zero))
    bench.advance(by: .seconds(1))
    bench.giveAll()
    for id in streams where !left.contains(id) {
      let last = answers[id].last
      #expect(last == "refused" || last?.hasPrefix("end ") == true, "stream \(id), seed \(seed)")
    }
    #expect(bench.machine.waiters.all.isEmpty && bench.counters.parked.value == 0)
    #expect(bench.machine.clients.values.allSatisfy { !$0.isPinned })
    #expect(!bench.hasReadTwice || replica != nil, "seed \(seed)")
    #expect(!bench.hasWrittenTwice, "seed \(seed)")
    #expect(staleCount.value == 0, "an answer older than readStaleness, seed \(seed)")
    #expect(replica != nil || store.conflictCount == 0, "seed \(seed)")
  }

  /// Lets the machine find out what is in the store.
  private func settle() {
    for _ in 0..<3 {
      bench.advance(by: .seconds(2))
      if replica != nil { bench.handle(.othersWrote(nil)) }
      bench.giveAll()
    }
  }

  /// Readers of the feed know the newest version of each collection.
  private func checkFeeds() {
    for (id, reader) in feeds where !left.contains(id) && answers[id].last != "refused" {
      reader.takesAll = true
      bench.handle(.writable(id))
    }
    settle()
    for (id, reader) in feeds where !left.contains(id) && answers[id].last != "refused" {
      let heads = store.collections.mapValues(\.version)
      #expect(reader.heads == heads, "reader \(id) of the feed, seed \(seed)")
    }
  }

  /// Whoever waits has the newest version, or there is none.
  private func checkWaiting() {
    for reader in bench.machine.waiters.all {
      #expect(reader.phase == .waiting && !reader.isLoading, "reader \(reader.id), seed \(seed)")
      guard case .poll = reader.kind else { continue }
      for entry in reader.entries {
        let head = store.head(CollectionKey(client: reader.client.name, name: entry.name))
        #expect(entry.newest == head || head == nil, "reader \(reader.id), seed \(seed)")
      }
    }
  }
}

/// When versions were replaced.
private final class ReplacedVersions: Sendable {
  private let dates = Mutex<[VersionToken: Duration]>([:])

  func add(_ version: VersionToken, _ date: Duration) {
    dates.withLock { $0[version] = $0[version] ?? date }
  }

  subscript(version: VersionToken) -> Duration? { dates.withLock { $0[version] } }
}

/// The machine of a shard under events in random order.
@Suite(.timeLimit(.minutes(10))) struct MachineRandomTests {
  @Test(arguments: 1...UInt64(rounds(400)))
  func `nobody is forgotten or answered twice, and no answer is older than it may be`(
    seed: UInt64
  ) {
    for (number, isShared) in [false, true].enumerated() {
      let walk = MachineWalk(seed: 2 * seed + UInt64(number), isShared: isShared)
      for _ in 0..<400 { walk.step() }
      walk.finish()
    }
  }
}
