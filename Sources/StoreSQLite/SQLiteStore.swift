import Dispatch
import GRDB
import GRDBSQLite
import Synchronization
public import VersionedCollections

/// An embedded store: an SQLite database in a directory of its own.
///
/// A collection is stored as an image and the changes since. A write adds one change, whose size is
/// what differs; images are renewed between writes. Small writes to many collections share a
/// transaction and a sync; large ones are written in parts between them. Readers have their own
/// connections and never wait for writers.
public final class SQLiteStore: CollectionStore {
  let pool: DatabasePool
  let options: StoreOptions
  let writer: GroupWriter
  let maintenance: StoreMaintenance
  private let partSets: PartSets
  private let directory: DataDirectory
  private let isClosed = Atomic<Bool>(false)
  /// The highest collection ID so far.
  private let lastID: Mutex<Int64>

  /// Opens the store in a directory, creating it if needed and if it may be changed.
  ///
  /// - Throws: `StoreOpenError` if it cannot be used.
  public init(directory path: String, options: StoreOptions) throws(StoreOpenError) {
    let directory = try DataDirectory(path, isReadOnly: options.isReadOnly)
    self.directory = directory
    self.options = options
    for file in directory.openFiles {
      options.faults(Fault(.fileMode, "others can read a file of the store: \(file)"))
    }
    do {
      pool = try Self.open(directory.database, options)
      try Self.openReaders(pool)
      lastID = Mutex(
        try pool.read { db in
          try Int64.fetchOne(
            db,
            sql: """
              SELECT max(coalesce((SELECT max(id) FROM collection), 0),
                coalesce((SELECT max(collection) FROM garbage), 0))
              """) ?? 0
        })
      partSets = PartSets(last: try pool.read { try StoreTables(db: $0).lastPartSet() })
    } catch {
      throw StoreOpenError(error, path: directory.database)
    }
    maintenance = StoreMaintenance(pool, partSets, options)
    writer = GroupWriter(pool, faults: options.faults) { [maintenance] db, wasLarge in
      maintenance.pause(db, wasLarge: wasLarge)
    }
    if !options.isReadOnly { maintenance.start(writer) }
  }

  private static func open(_ path: String, _ options: StoreOptions) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = readerCount
    configuration.persistentReadOnlyConnections = true
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(Double(LogCheckpointer.busySeconds))
    configuration.label = "livedelta.store"
    configuration.readonly = options.isReadOnly
    let pool = try DatabasePool(path: path, configuration: configuration)
    if options.isReadOnly {
      try pool.read { try Schema.checkIsCurrent($0, path: path) }
      return pool
    }
    try pool.writeWithoutTransaction { db in
      try Schema.migrate(db, path: path)
      // Records of an earlier run with the limit say nothing about the time without it.
      if !options.recordsUses, options.dropsRecords { try db.execute(sql: "DELETE FROM last_use") }
      if options.recordsSizes {
        try StoreTables(db: db).recordMissingSizes()
      } else if options.dropsRecords {
        try db.execute(sql: "DELETE FROM size")
      }
      try db.execute(
        sql: """
          \(options.durability.pragma);
          PRAGMA wal_autocheckpoint = 0;
          PRAGMA cache_size = -8192;
          PRAGMA journal_size_limit = \(options.checkpointPages * 4096 * 4);
          """)
    }
    return pool
  }

  /// The number of reader connections.
  private static let readerCount = 4

  /// Opens all reader connections now, because there may be no file descriptors left later.
  ///
  /// A read takes an idle connection; each waits until the last one is open, so that every
  /// connection is used.
  private static func openReaders(_ pool: DatabasePool) throws {
    let opened = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    for _ in 0..<readerCount { opened.enter() }
    for _ in 0..<readerCount {
      pool.asyncRead { db in
        do {
          _ = try Int.fetchOne(db.get(), sql: "SELECT count(*) FROM sqlite_schema")
        } catch {
          failure.withLock { $0 = error }
        }
        opened.leave()
        opened.wait()
      }
    }
    opened.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Completes pending writes, checkpoints the log and closes the database.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    maintenance.stop()
    if !options.isReadOnly { pool.writeWithoutTransaction { maintenance.finish($0) } }
    do {
      try pool.close()
    } catch {
      options.faults(Fault(.storeUnavailable, "not closed: \(StoreError(error).text)"))
    }
    directory.release()
  }

  // MARK: CollectionStore

  /// Always true.
  public var keepsContents: Bool { true }

  /// Whether the last write succeeded.
  public var isReady: Bool { writer.isReady }

  /// The groups of the writer, and the sizes of the database and its log.
  public var statistics: StoreStatistics? {
    var statistics = writer.statistics
    let log = maintenance.logStatistics
    statistics.logBytes = log.bytes
    statistics.checkpoints = log.checkpoints
    statistics.bytes = directory.databaseBytes
    return statistics
  }

  /// Encodes the transaction on the caller's thread and writes it with the next group.
  public func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    if options.isReadOnly { return completion(.failure(.unavailable("the store is only read"))) }
    var parts = PartList(partSets, partBytesMax: options.partBytesMax)
    let write = StoreWrite(transaction, &parts, recordsSizes: options.recordsSizes) {
      self.newID()
    }
    let (maintenance, sets) = (maintenance, parts.sets)
    writer.submit(
      GroupWriter.Job(
        parts: parts.writes, work: { tables in try write.run(tables, maintenance) },
        completion: { refusal in
          maintenance.end(sets, isWritten: refusal == nil)
          if refusal?.isOutage == true { maintenance.probe() }
          completion(refusal.map { .failure($0) } ?? .success(()))
        }, byteCount: parts.inlineBytes))
  }

  /// Reads all parts in one transaction, on a reader connection.
  public func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    pool.asyncRead { db in
      completion(
        parts.map { part in
          do {
            let db = try db.get()
            do {
              return .success(try self.value(of: part, client, StoreTables(db: db)))
            } catch {
              return .failure(StoreError(error, on: db))
            }
          } catch {
            return .failure(StoreError(error))
          }
        })
    }
  }

  private func value(
    of part: StoredPart, _ client: ResourceName, _ tables: StoreTables
  ) throws -> StoredValue {
    switch part {
    case .summaries:
      let (named, namelessCount) = try tables.summaries(client.text)
      if namelessCount > 0 {
        let text = "\(namelessCount) collections of the client have damaged names"
        options.faults(Fault(.collectionDamaged, text, client: client))
      }
      return .summaries(named)
    case .collection(let name, let known):
      guard let row = try tables.collection(client.text, name.text) else { return .collection(nil) }
      if let known, try tables.head(row).version == known { return .unchanged }
      guard let found = try tables.load(row.id, lineage: row.lineage) else {
        return .collection(nil)
      }
      if !options.isReadOnly { maintenance.note(row.id, loaded: found.changes) }
      return .collection(found.collection)
    case .version(let name, let version):
      guard let row = try tables.collection(client.text, name.text), row.lineage == version.lineage
      else { return .version(nil) }
      return .version(try tables.load(row.id, at: version))
    case .history(let name):
      guard let row = try tables.collection(client.text, name.text) else { return .history(nil) }
      return .history(try tables.history(row.id, lineage: row.lineage))
    case .records(let collection):
      guard let ledger = try tables.ledger(client.text, collection?.text ?? "") else {
        return .records([])
      }
      let oldest = options.date() - options.requestSeconds
      return .records(
        try tables.requests(ledger, after: oldest, max: options.requestsMax).map {
          try IdempotencyRecord($0, about: collection)
        })
    }
  }

  /// Counts the rows of collections.
  public func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) {
    let faults = options.faults
    pool.asyncRead { db in
      do {
        completion(try Int.fetchOne(db.get(), sql: "SELECT count(*) FROM collection"))
      } catch {
        let failure = StoreError(error)
        faults(Fault(.storeUnavailable, "collections were not counted: \(failure.text)"))
        completion(nil)
      }
    }
  }

  /// Sums up the recorded sizes.
  public func sizes(_ completion: @escaping @Sendable ([ResourceName: StoredSize]?) -> Void) {
    let faults = options.faults
    pool.asyncRead { db in
      do {
        completion(try StoreTables(db: db.get()).sizes())
      } catch {
        let failure = StoreError(error)
        faults(Fault(.storeUnavailable, "sizes were not summed up: \(failure.text)"))
        completion(nil)
      }
    }
  }

  /// Adds up the sizes of images and changes.
  public func storedBytes(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[ResourceName: Int], StoreError>) -> Void
  ) {
    pool.asyncRead { db in
      completion(
        Result { try StoreTables(db: db.get()).storedBytes(of: client.text) }
          .mapError { StoreError($0) })
    }
  }

  /// Renews images, clears garbage and empties the log, between groups of writes.
  public func compact(
    _ completion: @escaping @Sendable (Result<CompactionReport, StoreError>) -> Void
  ) { maintenance.compact(completion) }

  /// Scans the index of the ledgers.
  public func recordOwners(
    after owner: RecordOwner?, countMax: Int,
    completion: @escaping @Sendable (Result<[RecordOwner], StoreError>) -> Void
  ) {
    pool.asyncRead { db in
      completion(
        Result { try StoreTables(db: db.get()).recordOwners(after: owner, countMax: countMax) }
          .mapError { StoreError($0) })
    }
  }

  /// Scans the index of names from the first match.
  public func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping @Sendable (Result<[ClientSummary], StoreError>) -> Void
  ) {
    let faults = options.faults
    pool.asyncRead { db in
      completion(
        Result {
          let (named, namelessCount) = try StoreTables(db: db.get()).clients(
            in: range, after: name, limit: limit)
          if namelessCount > 0 {
            faults(Fault(.collectionDamaged, "\(namelessCount) clients have damaged names"))
          }
          return named
        }.mapError { StoreError($0) })
    }
  }

  /// Scans all collections.
  public func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void
  ) {
    let faults = options.faults
    pool.asyncRead { db in
      do {
        completion(try StoreTables(db: db.get()).changes(since: date, countMax: countMax))
      } catch {
        let failure = StoreError(error)
        faults(Fault(.storeUnavailable, "changes were not looked for: \(failure.text)"))
        completion(nil)
      }
    }
  }

  private func newID() -> Int64 {
    lastID.withLock { last in
      last += 1
      return last
    }
  }
}
