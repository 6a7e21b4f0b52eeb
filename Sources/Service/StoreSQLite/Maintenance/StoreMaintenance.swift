import Dispatch
import GRDB
import Synchronization
import VersionedCollections

/// Background work that keeps files small and loading fast: images, garbage, old records and
/// checkpoints.
///
/// It never delays requests. Images are read and encoded on a separate queue and written between
/// groups of writes; the log is checkpointed between groups.
final class StoreMaintenance: Sendable {
  struct State {
    var demand: ImageDemand
    var ledgerCursor: Int64 = 0
    /// Whether there may be garbage that is not being deleted.
    var hasGarbage = true
    var isClearing = false
    var isProbing = false
    var isStopped = false
    weak var writer: GroupWriter?
  }

  let pool: any StoreConnections
  let partSets: PartSets
  let options: StoreOptions
  let state: Mutex<State>
  let queue: any MaintenanceQueue
  let log: LogCheckpointer
  let reserve: DiskReserve?

  /// The log is moved on a connection of its own, if there is a path to open one.
  init(
    _ pool: any StoreConnections, _ queue: any MaintenanceQueue, _ partSets: PartSets,
    _ options: StoreOptions, logPath: String?, _ reserve: DiskReserve? = nil
  ) {
    self.pool = pool
    self.queue = queue
    self.partSets = partSets
    self.options = options
    self.reserve = reserve
    state = Mutex(State(demand: ImageDemand(options.durable)))
    log = LogCheckpointer(options, path: logPath)
  }

  func start(_ writer: GroupWriter) {
    state.withLock { $0.writer = writer }
    pool.writeWithoutTransaction { log.watch($0) }
    reserve?.fill()
    clearGarbage()
    sweep()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    queue.finish()
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Deletes garbage and checkpoints the log if needed, and probes if the last write failed; called between two groups
  /// of writes.
  func pause(_ db: Database, wasLarge: Bool) {
    let (isStopped, writer) = state.withLock { ($0.isStopped, $0.writer) }
    if isStopped { return }
    if writer?.isReady == false { probe() }
    clearGarbage()
    log.checkpoint(db, wasLarge: wasLarge)
    reserve?.refill { log.truncate(db) }
  }

  /// Records the end of a write: renews the images that are due, and clears away what it left.
  func note(_ write: StoreWrite, _ sets: [Int64], _ failure: StoreError?) {
    partSets.end(sets)
    // Parts that no row refers to are garbage.
    if failure == nil ? write.leavesGarbage : !sets.isEmpty { noteGarbage() }
    if failure == nil { note(write.changes) }
  }

  // MARK: Work

  /// Adds work to the next group of writes; returns false if the store is closing and the work was dropped.
  @discardableResult
  func submit(
    byteCount: Int = 0, isImage: Bool = false, frees: Bool = false,
    _ work: @escaping @Sendable (StoreTables) throws -> Void,
    then: @escaping @Sendable (StoreError?) -> Void
  ) -> Bool {
    guard let writer = state.withLock({ $0.isStopped ? nil : $0.writer }) else { return false }
    writer.submit(
      WriteJob(
        work: { tables in
          try work(tables)
          return nil
        }, completion: then, byteCount: byteCount, isImage: isImage, frees: frees))
    return true
  }

  /// Performs work in the next group of writes, and waits for its commit.
  ///
  /// Call it only on the maintenance queue, which may block.
  @discardableResult
  func perform<T: Sendable>(
    byteCount: Int = 0, isImage: Bool = false,
    _ work: @escaping @Sendable (StoreTables) throws -> T
  ) throws(StoreError) -> T {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<(value: T?, failure: StoreError?)>((nil, nil))
    let isSubmitted = submit(
      byteCount: byteCount, isImage: isImage,
      { tables in
        let value = try work(tables)
        outcome.withLock { $0.value = value }
      }
    ) { failure in
      outcome.withLock { $0.failure = failure }
      done.signal()
    }
    guard isSubmitted else { throw .unavailable("the store is closing") }
    done.wait()
    let (value, failure) = outcome.withLock { ($0.value, $0.failure) }
    guard let value, failure == nil else { throw failure ?? .unavailable("nothing was written") }
    return value
  }

  /// Reads in one view, on a connection for readers.
  func read<T>(_ body: (StoreTables) throws -> T) throws(StoreError) -> T {
    do {
      return try pool.read { try body(StoreTables(db: $0, faults: options.faults)) }
    } catch {
      throw StoreError(error)
    }
  }

  func report(_ failure: StoreError?, _ kind: Fault.Kind, _ what: String) {
    if let failure { options.faults(Fault(kind, "\(what): \(failure.text)")) }
  }

  // MARK: Readiness

  /// Attempts a small write at once, and every second until one succeeds, so that readiness recovers by itself, and one
  /// write that was too large for the disk does not count for long.
  private func probe() {
    let isFirst = state.withLock { state in
      defer { state.isProbing = true }
      return !state.isProbing && !state.isStopped
    }
    if isFirst { probe(afterSeconds: 0) }
  }

  private func probe(afterSeconds seconds: Int) {
    queue.after(seconds: seconds) { [weak self] in
      guard let self else { return }
      submit({ try $0.probe() }) { failure in
        guard let failure else { return self.state.withLock { $0.isProbing = false } }
        self.report(failure, .probe, "the store still cannot be written to")
        self.probe(afterSeconds: 1)
      }
    }
  }
}
