import GRDB
import StoreSQLite
import TestSupport
import VersionedCollections

/// The store of a service that is alone: that of SQLite, on a simulated disk.
///
/// What it acknowledges is carried out on a store of plain state too, which says what has to be on the disk. Whenever
/// a process has ended, the disk must have just that, and of the commits whose outcome is not known whole ones or none.
/// `@unchecked Sendable`: a simulation has one thread.
final class DiskStore: @unchecked Sendable {
  private typealias Write = (transaction: StoreTransaction, operation: Int)

  let disk: SimulatedDisk
  private let world: World
  /// What has to be on the disk.
  private unowned let truth: SimulatedStore
  private let path: String
  private let options: StoreOptions
  private var generator: SeededGenerator
  private var thread: DiskThread?
  private var store: SQLiteStore?
  /// Writes that were begun, by number.
  private var underWay: [Int: Write] = [:]
  private var writeCount = 0
  /// Writes since the last commit that may be on the disk after a crash.
  private var doubtful: [Write] = []
  /// Called when the disk has failed.
  var onTrouble: () -> Void = {}

  init(_ world: World, _ truth: SimulatedStore, _ limits: ServiceLimits, _ plan: Plan) {
    (self.world, self.truth) = (world, truth)
    generator = plan.generator(.disk)
    disk = SimulatedDisk(SeededGenerator(seed: generator.next()))
    path = DiskFiles.add(disk)
    var options = StoreOptions(limits)
    options.date = { World.firstDate + Int64(world.now / 1_000_000) }
    // The log is moved often, images are renewed often, and what is large is in parts.
    options.checkpointPages = 4 + generator.below(60)
    options.changesMax = 2 + generator.below(12)
    options.changeBytesMin = 0
    options.partBytesMax = generator.below(2) == 0 ? 100 + generator.below(400) : 512 << 10
    options.faults = { fault in
      world.note("the disk's store: \(fault.kind)")
      if fault.kind == .collectionDamaged { world.blame("damage: \(fault.text)") }
    }
    self.options = options
    if !open() { world.blame("an empty store cannot be opened") }
  }

  deinit {
    disk.endProcess()
    DiskFiles.remove(path)
  }

  // MARK: Processes

  /// Opens the store, in a new process; false if the disk does not let it.
  func open() -> Bool {
    end()
    let (run, failureCount) = (disk.run, disk.failureCount)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let thread = DiskThread(world, queue, SeededGenerator(seed: generator.next()))
      self.thread = thread
      store = try SQLiteStore(thread, thread, options)
      // The power may have failed meanwhile.
      guard disk.run == run else {
        end()
        return false
      }
      judgeFile(queue)
      return true
    } catch {
      world.note("the store cannot be opened")
      if disk.failureCount == failureCount { world.blame("the store cannot be opened: \(error)") }
      onTrouble()
      end()
      return false
    }
  }

  /// Ends the process: what it has written is on the disk, or at least seen.
  func end() {
    disk.endProcess()
    doubtful += underWay.sorted { $0.key < $1.key }.map(\.value)
    underWay = [:]
    thread?.end()
    (thread, store) = (nil, nil)
  }

  // MARK: Requests

  /// Commits; the completion is not called if the process ends before.
  func commit(
    _ transaction: StoreTransaction, by operation: Int,
    _ completion: @escaping (Result<Void, StoreError>) -> Void
  ) {
    guard let store, let thread else { return }
    writeCount += 1
    let (number, failureCount) = (writeCount, disk.failureCount)
    underWay[number] = (transaction, operation)
    let finish = Finish { [weak self] result in
      guard let self, thread.isAlive else { return }
      underWay[number] = nil
      ended((transaction, operation), result, mayFail: disk.failureCount > failureCount)
      completion(result)
    }
    store.commit(transaction) { finish.body($0) }
  }

  private func ended(_ write: Write, _ result: Result<Void, StoreError>, mayFail: Bool) {
    switch result {
    case .success:
      if write.transaction.writesAnything { doubtful = [] }
      if case .failure = truth.commit(write.transaction, by: write.operation) {
        world.blame("\(write.operation): the disk's store commits what is to be refused")
      }
      if store?.isReady == false { world.blame("not ready after a commit") }
    case .failure(.conflict):
      if case .success = truth.copy().commit(write.transaction, by: write.operation) {
        world.blame("\(write.operation): a conflict with nothing")
      }
    case .failure(let error):
      world.note("\(write.operation): \(error)")
      onTrouble()
      if !mayFail { world.blame("\(write.operation): \(error), but the disk is well") }
      if store?.isReady == true { world.blame("\(write.operation): ready after \(error)") }
      switch error {
      case .unknown, .unsynced: doubtful.append(write)
      case .damaged: world.blame("\(write.operation): \(error)")
      default: break
      }
    }
  }

  /// Reads now.
  func read(_ part: StoredPart, of client: ResourceName) -> Result<StoredValue, StoreError> {
    // Nobody hears it.
    if store == nil { return .failure(.unavailable("the process has ended")) }
    // What was read before need not be in memory.
    if generator.below(4) == 0 { thread?.releaseMemory() }
    let failureCount = disk.failureCount
    let result = value(of: part, client)
    if case .failure(let error) = result {
      onTrouble()
      if disk.failureCount == failureCount { world.blame("\(error), but the disk is well") }
      if case .damaged(let text) = error { world.blame("damage: \(text)") }
    }
    return result
  }

  private func value(
    of part: StoredPart, _ client: ResourceName
  ) -> Result<StoredValue, StoreError> {
    let result = Box(Result<StoredValue, StoreError>.failure(.unavailable("it has ended")))
    store?.read([part], of: client) { result.value = $0[0] }
    return result.value
  }

  var isReady: Bool { store?.isReady ?? false }

  /// Judges that the store is ready when the disk is well.
  func judgeEnd() {
    guard let store else { return world.blame("the store is not open") }
    if !store.isReady { world.blame("the store is not ready, and the disk is well") }
  }

  // MARK: After a crash

  /// Judges what is on the disk when it is opened.
  private func judgeFile(_ queue: DatabaseQueue) {
    let readsFailOneIn = disk.readsFailOneIn
    disk.readsFailOneIn = nil
    defer {
      disk.readsFailOneIn = readsFailOneIn
      queue.releaseMemory()
    }
    do {
      let text = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check") }
      if text != "ok" { world.blame("the file is damaged: \(text ?? "")") }
    } catch {
      world.blame("the file is damaged: \(error)")
    }
    let found = contents { value(of: $0, $1) }
    let last = Array(doubtful.suffix(10))
    doubtful = []
    // None of them first, then each choice of them.
    for choice in 0..<(1 << last.count) {
      let chosen = last.indices.filter { choice >> $0 & 1 == 1 }.map { last[$0] }
      let copy = truth.copy()
      guard chosen.allSatisfy({ (try? copy.commit($0.transaction, by: -1).get()) != nil }),
        contents({ copy.read($0, of: $1) }) == found
      else { continue }
      for write in chosen {
        world.note("\(write.operation) is on the disk")
        _ = truth.commit(write.transaction, by: write.operation)
      }
      return
    }
    world.blame("on the disk is \(found), not \(contents { truth.stored($0, of: $1) })")
  }

  /// The versions, the settings and the keys that a store has.
  private func contents(
    _ read: (StoredPart, ResourceName) -> Result<StoredValue, StoreError>
  ) -> [String] {
    var lines: [String] = []
    for key in Users.singles + Users.twins {
      let (client, name) = (key.client, key.name)
      switch read(.collection(name, unlessAt: nil), client) {
      case .success(.collection(let stored?)):
        let settings = stored.settings
        lines.append("\(client.text)/\(name.text) \(stored.version) \(settings)")
      case .success(.collection(nil)): break
      default: lines.append("\(client.text)/\(name.text) cannot be read")
      }
      for owner in [name, nil] {
        guard case .success(.records(let records)) = read(.records(owner), client) else {
          lines.append("\(client.text): its keys cannot be read")
          continue
        }
        lines += records.map { "\(client.text)/\(owner?.text ?? "") \($0.key.text)" }.sorted()
      }
    }
    return lines
  }
}

extension StoreTransaction {
  /// Whether it changes anything in the store.
  fileprivate var writesAnything: Bool {
    idempotency != nil
      || entries.contains { if case .check = $0.change { false } else { true } }
  }
}

/// A value that a closure sets.
///
/// `@unchecked Sendable`: a simulation has one thread.
private final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// `@unchecked Sendable`: a simulation has one thread.
private struct Finish: @unchecked Sendable {
  var body: (Result<Void, StoreError>) -> Void
}
