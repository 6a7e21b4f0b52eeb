import CollectionService
import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// What keeps the files small and loading quick: new images, garbage, old requests, checkpoints.
///
/// Never inside a request. Images are made on a queue of their own, from what readers see, and
/// written with the next group; the log is moved into the database between two groups.
final class Upkeep: Sendable {
  private struct Collection {
    var changeCount = 0
    var changeBytes = 0
    /// The size of the image, when it is known.
    var imageBytes: Int?
    var isQueued = false
  }

  private struct State {
    var collections: [Int64: Collection] = [:]
    var ledgerCursor: Int64 = 0
    var isProbing = false
    var isStopped = false
    weak var writer: GroupWriter?
  }

  private let pool: DatabasePool
  private let options: StoreOptions
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "livedelta.store.upkeep", qos: .utility)
  private let gauge = LogGauge()

  /// The most collections whose changes are counted; past that counting begins anew.
  private static let countedMax = 50_000

  init(_ pool: DatabasePool, _ options: StoreOptions) {
    self.pool = pool
    self.options = options
  }

  func start(_ writer: GroupWriter) {
    state.withLock { $0.writer = writer }
    pool.writeWithoutTransaction { gauge.watch($0) }
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
  func note(_ id: Int64, change byteCount: Int) {
    count(id) { collection in
      collection.changeCount += 1
      collection.changeBytes += byteCount
    }
  }

  /// A collection was loaded.
  func note(_ id: Int64, count: Int, bytes: Int, imageBytes: Int) {
    guard count > 0 else { return }
    self.count(id) {
      $0 = Collection(
        changeCount: max(count, $0.changeCount), changeBytes: max(bytes, $0.changeBytes),
        imageBytes: imageBytes, isQueued: $0.isQueued)
    }
  }

  /// A collection was deleted.
  func noteGarbage() { queue.async { self.clearGarbage() } }

  /// A request was noted in a ledger.
  func note(ledger: Int64, number: Int) {
    guard number > options.requestsMax, number % 100 == 0 else { return }
    submit { try $0.trim(ledger: ledger, through: number - self.options.requestsMax) }
  }

  private func count(_ id: Int64, _ change: (inout Collection) -> Void) {
    let isDue = state.withLock { state in
      if state.collections.count > Self.countedMax { state.collections = [:] }
      change(&state.collections[id, default: Collection()])
      guard let collection = state.collections[id], !collection.isQueued else { return false }
      let bytesMax = max(options.changeBytesMin, collection.imageBytes ?? 0)
      let isDue =
        collection.changeBytes > bytesMax || collection.changeCount >= options.changesMax
      state.collections[id]?.isQueued = isDue
      return isDue
    }
    if isDue { queue.async { self.renewImage(id) } }
  }

  // MARK: Images

  private func renewImage(_ id: Int64) {
    guard !isStopped else { return }
    let found = try? pool.read { db in
      let tables = StoreTables(db: db)
      let lineage = try String.fetchOne(
        db, sql: "SELECT lineage FROM collection WHERE id = ?", arguments: [id])
      return try lineage.map { (try tables.load(id, lineage: $0), try tables.image(of: id)) }
    }
    guard let (found, before) = found ?? nil, let loaded = found else {
      state.withLock { $0.collections[id] = nil }
      return
    }
    // What was not known before: the changes may still be little beside the image.
    if loaded.changeCount < options.changesMax,
      loaded.changeBytes <= max(options.changeBytesMin, loaded.imageBytes)
    {
      state.withLock {
        $0.collections[id] = Collection(
          changeCount: loaded.changeCount, changeBytes: loaded.changeBytes,
          imageBytes: loaded.imageBytes)
      }
      return
    }
    var collection = loaded.collection
    collection.clampSettings(to: options.settingsLimits)
    collection.trim(options.retention, now: options.date())
    let (image, version, count) = (collection.image(), collection.version, collection.itemCount)
    submit(
      { tables in
        // What was read is not to come back over an image that a write has brought meanwhile,
        // perhaps one that forgets what was before.
        guard try tables.lineage(of: id) == version.lineage, try tables.image(of: id) == before
        else { return }
        try tables.put(image: image, version, itemCount: count, of: id)
        try tables.deleteChanges(of: id, through: version.seq)
      },
      then: {
        self.state.withLock { $0.collections[id] = Collection(imageBytes: image.count) }
      })
  }

  // MARK: Garbage

  /// Clears away a piece of what is deleted, then the next, each in a group of its own.
  private func clearGarbage() {
    guard !isStopped else { return }
    let next = try? pool.read {
      try Int64.fetchOne($0, sql: "SELECT collection FROM garbage LIMIT 1")
    }
    guard let id = next ?? nil else { return }
    submit({ try $0.clear(id) }, then: { self.queue.async { self.clearGarbage() } })
  }

  /// Looks at some ledgers a minute, and forgets the requests that are too old.
  private func sweep() {
    queue.asyncAfter(deadline: .now() + 60) { [weak self] in
      guard let self, !isStopped else { return }
      let cursor = state.withLock { $0.ledgerCursor }
      let ledgers =
        (try? pool.read {
          try Int64.fetchAll(
            $0, sql: "SELECT id FROM ledger WHERE id > ? ORDER BY id LIMIT 1000",
            arguments: [cursor])
        }) ?? []
      state.withLock { $0.ledgerCursor = ledgers.last ?? 0 }
      let oldest = options.date() - options.requestSeconds
      if !ledgers.isEmpty {
        submit { tables in
          for ledger in ledgers { try tables.trim(ledger: ledger, before: oldest) }
        }
      }
      sweep()
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func submit(
    _ work: @escaping @Sendable (StoreTables) throws -> Void,
    then: @escaping @Sendable () -> Void = {}
  ) {
    guard let writer = state.withLock({ $0.isStopped ? nil : $0.writer }) else { return }
    writer.submit(
      GroupWriter.Job(
        work: { tables in
          try work(tables)
          return nil
        }, completion: { failure in if failure == nil { then() } }))
  }

  // MARK: The log

  /// Between two groups: moves the log into the database when it is long enough.
  ///
  /// No writer is under way then, so that all of it is moved and the log begins anew. Should
  /// readers keep it from that, they are waited for before it becomes four times as long.
  func pause(_ db: Database) {
    let pages = gauge.pages
    guard pages >= options.checkpointPages, !isStopped else { return }
    let isLong = pages >= options.checkpointPages * 4
    if (try? db.checkpoint(isLong ? .restart : .passive)) != nil { gauge.reset() }
  }

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
      guard let self, let writer = state.withLock({ $0.isStopped ? nil : $0.writer }) else {
        return
      }
      writer.submit(
        GroupWriter.Job(
          work: { tables in
            try tables.probe()
            return nil
          },
          completion: { failure in
            if failure != nil { return self.probeLater() }
            self.state.withLock { $0.isProbing = false }
          }))
    }
  }
}

/// How many pages the log has, as the writer's connection says at each commit.
private final class LogGauge: Sendable {
  private let count = Atomic<Int>(0)

  var pages: Int { count.load(ordering: .relaxed) }

  func reset() { count.store(0, ordering: .relaxed) }

  func watch(_ db: Database) {
    // The gauge lives as long as the upkeep, which outlives the connection.
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<LogGauge>.fromOpaque(context).takeUnretainedValue()
          .count.store(Int(pages), ordering: .relaxed)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

extension StoreTables {
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
