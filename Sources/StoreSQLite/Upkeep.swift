import CollectionService
import Dispatch
import Foundation
import GRDB
import Synchronization

/// What keeps the files small and loading quick: new images, garbage, old requests, checkpoints.
///
/// Never inside a request. Images are made on a queue of their own, from what readers see, and
/// written with the next group; the log is moved into the database between two groups.
final class Upkeep: Sendable {
  private struct State {
    var demand: ImageDemand
    var ledgerCursor: Int64 = 0
    var isClearing = false
    var isProbing = false
    var isStopped = false
    weak var writer: GroupWriter?
  }

  private let pool: DatabasePool
  private let options: StoreOptions
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "livedelta.store.upkeep", qos: .utility)
  private let log: LogUpkeep

  init(_ pool: DatabasePool, _ options: StoreOptions) {
    self.pool = pool
    self.options = options
    state = Mutex(State(demand: ImageDemand(options)))
    log = LogUpkeep(options, path: pool.path)
  }

  func start(_ writer: GroupWriter) {
    state.withLock { $0.writer = writer }
    pool.writeWithoutTransaction { log.watch($0) }
    queue.async { self.clearGarbage() }
    sweep()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    queue.sync {}
  }

  // MARK: Notes, taken while writing and loading

  /// A change was written.
  ///
  /// Taken before the commit: at worst an image comes early.
  func note(_ id: Int64, change byteCount: Int, _ tables: StoreTables) throws {
    let isDue = try state.withLock { state in
      try state.demand.note(id, change: byteCount) { try tables.changes(of: id) }
    }
    if isDue { queue.async { self.renewImage(id) } }
  }

  /// A collection was loaded.
  func note(_ id: Int64, loaded changes: ImageDemand.Changes) {
    if state.withLock({ $0.demand.note(id, changes) }) { queue.async { self.renewImage(id) } }
  }

  /// A collection has a new image that a write brought.
  func noteImage(_ id: Int64) { state.withLock { $0.demand.forget(id) } }

  /// A collection was deleted.
  func noteGarbage(_ id: Int64) {
    state.withLock { $0.demand.forget(id) }
    queue.async { self.clearGarbage() }
  }

  /// A request was noted in a ledger.
  func note(ledger: Int64, number: Int) {
    guard number > options.requestsMax, number % 100 == 0 else { return }
    submit({ try $0.trim(ledger: ledger, through: number - self.options.requestsMax) }) {
      self.report($0, .cleanup, "old requests were not deleted")
    }
  }

  // MARK: Images

  private func renewImage(_ id: Int64) {
    guard !isStopped else { return }
    let found: StoredImage
    do {
      guard let read = try pool.read({ try StoreTables(db: $0).storedImage(of: id) }) else {
        return state.withLock { $0.demand.forget(id) }
      }
      found = read
    } catch {
      return noteFailure(of: id, StoreError(error))
    }
    var collection = found.collection
    collection.clampSettings(to: options.settingsLimits)
    collection.trim(options.retention, now: options.date())
    let (image, version, count) = (collection.image(), collection.version, collection.itemCount)
    submit(
      byteCount: image.count,
      { tables in
        // What was read is not to come back over an image that a write has brought meanwhile,
        // perhaps one that forgets what was before.
        guard try tables.lineage(of: id) == version.lineage, try tables.image(of: id) == found.data
        else { return }
        try tables.put(image: image, version, itemCount: count, of: id)
        try tables.deleteChanges(of: id, through: version.seq)
      }
    ) { failure in
      if let failure { return self.noteFailure(of: id, failure) }
      self.state.withLock { $0.demand.forget(id) }
    }
  }

  /// The next changes of the collection have it tried again.
  private func noteFailure(of id: Int64, _ failure: StoreError) {
    state.withLock { $0.demand.noteFailure(id) }
    report(failure, .image, "collection \(id) has no new image")
  }

  // MARK: Garbage

  /// Clears away what is deleted, piece by piece, if that is not under way.
  private func clearGarbage() {
    let isFirst = state.withLock { state in
      defer { state.isClearing = true }
      return !state.isClearing
    }
    if isFirst { clearNext() }
  }

  /// Clears away a piece, then the next, each in a group of its own.
  private func clearNext() {
    guard !isStopped else { return }
    do {
      let id = try pool.read {
        try Int64.fetchOne($0, sql: "SELECT collection FROM garbage LIMIT 1")
      }
      guard let id else { return state.withLock { $0.isClearing = false } }
      submit({ try $0.clear(id) }) { failure in
        if let failure { return self.endClearing(failure) }
        self.queue.async { self.clearNext() }
      }
    } catch {
      endClearing(StoreError(error))
    }
  }

  /// What is left is cleared away at the next sweep.
  private func endClearing(_ failure: StoreError) {
    state.withLock { $0.isClearing = false }
    report(failure, .cleanup, "deleted collections were not cleared away")
  }

  /// Looks at some ledgers a minute, and forgets the requests that are too old.
  private func sweep() {
    queue.asyncAfter(deadline: .now() + 60) { [weak self] in
      guard let self, !isStopped else { return }
      do {
        try sweepLedgers()
      } catch {
        report(StoreError(error), .cleanup, "old requests were not looked for")
      }
      clearGarbage()
      sweep()
    }
  }

  private func sweepLedgers() throws {
    let cursor = state.withLock { $0.ledgerCursor }
    let ledgers = try pool.read {
      try Int64.fetchAll(
        $0, sql: "SELECT id FROM ledger WHERE id > ? ORDER BY id LIMIT 1000", arguments: [cursor])
    }
    state.withLock { $0.ledgerCursor = ledgers.last ?? 0 }
    let oldest = options.date() - options.requestSeconds
    if ledgers.isEmpty { return }
    submit({ tables in
      for ledger in ledgers { try tables.trim(ledger: ledger, before: oldest) }
    }) { self.report($0, .cleanup, "old requests were not deleted") }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Takes a piece of work into the next group of writes; it is dropped when the store closes.
  private func submit(
    byteCount: Int = 0, _ work: @escaping @Sendable (StoreTables) throws -> Void,
    then: @escaping @Sendable (StoreError?) -> Void
  ) {
    guard let writer = state.withLock({ $0.isStopped ? nil : $0.writer }) else { return }
    writer.submit(
      GroupWriter.Job(
        work: { tables in
          try work(tables)
          return nil
        }, completion: then, byteCount: byteCount))
  }

  private func report(_ failure: StoreError?, _ kind: Fault.Kind, _ what: String) {
    if let failure { options.faults(Fault(kind, "\(what): \(failure.text)")) }
  }

  // MARK: The log

  /// Between two groups: moves the log into the database when it is long enough.
  func pause(_ db: Database) {
    if !isStopped { log.checkpoint(db) }
  }

  /// Before the store is closed: moves all of the log into the database.
  func finish(_ db: Database) { log.finish(db) }

  /// Writes something small once a second until it works, so that readiness comes back by itself.
  func probe() {
    let isFirst = state.withLock { state in
      defer { state.isProbing = true }
      return !state.isProbing && !state.isStopped
    }
    if isFirst { probeLater() }
  }

  private func probeLater() {
    queue.asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self else { return }
      submit({ try $0.probe() }) { failure in
        guard let failure else { return self.state.withLock { $0.isProbing = false } }
        self.report(failure, .probe, "the store cannot be written to yet")
        self.probeLater()
      }
    }
  }
}

/// A collection as it is read for a new image.
private struct StoredImage {
  var collection: StoredCollection
  /// The image that it has now.
  var data: Data?
}

extension StoreTables {
  fileprivate func storedImage(of id: Int64) throws -> StoredImage? {
    guard let lineage = try lineage(of: id), let found = try load(id, lineage: lineage) else {
      return nil
    }
    return StoredImage(collection: found.collection, data: try image(of: id))
  }

  /// The changes of a collection since its image, counted without reading them.
  fileprivate func changes(of id: Int64) throws -> ImageDemand.Changes {
    let range = Self.changes(of: id)
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*), coalesce(sum(length(data)), 0),
            coalesce((SELECT length(data) FROM image WHERE collection = ?), 0)
          FROM change WHERE id BETWEEN ? AND ?
          """), arguments: [id, range.lowerBound, range.upperBound])
    guard let row else { return ImageDemand.Changes() }
    return ImageDemand.Changes(
      count: try row.decode(atIndex: 0), byteCount: try row.decode(atIndex: 1),
      imageByteCount: try row.decode(atIndex: 2))
  }

  fileprivate func lineage(of id: Int64) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT lineage FROM collection WHERE id = ?"), arguments: [id])
  }

  /// Clears away a piece of a deleted collection; with the last one its number is free.
  fileprivate func clear(_ id: Int64) throws {
    let range = Self.changes(of: id)
    try run(
      "DELETE FROM change WHERE id IN (SELECT id FROM change WHERE id BETWEEN ? AND ? LIMIT 256)",
      [range.lowerBound, range.upperBound])
    if db.changesCount == 256 { return }
    try run("DELETE FROM image WHERE collection = ?", [id])
    try run("DELETE FROM garbage WHERE collection = ?", [id])
  }

  fileprivate func trim(ledger: Int64, through number: Int) throws {
    try run("DELETE FROM request WHERE ledger = ? AND number <= ?", [ledger, number])
  }

  /// Numbers ascend with dates: the old ones are the first.
  fileprivate func trim(ledger: Int64, before date: Int64) throws {
    try run("DELETE FROM request WHERE ledger = ? AND date < ?", [ledger, date])
    try run(
      "DELETE FROM ledger WHERE id = ? AND NOT EXISTS (SELECT 1 FROM request WHERE ledger = ?)",
      [ledger, ledger])
  }

  fileprivate func probe() throws {
    try run(
      "INSERT INTO probe (id, count) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1",
      [])
  }
}
