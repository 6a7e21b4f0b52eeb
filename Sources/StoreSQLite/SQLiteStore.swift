public import CollectionService
import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// The embedded store: one SQLite database in a directory of its own.
///
/// A collection is an image and the changes since: a write adds one change, as many bytes as
/// differ. Images are renewed between writes. Small writes of many collections share a transaction
/// and a sync, large ones are written in parts between them; readers have connections of their own
/// and never wait for a writer.
public final class SQLiteStore: CollectionStore {
  let pool: DatabasePool
  let options: StoreOptions
  let writer: GroupWriter
  let maintenance: StoreMaintenance
  private let partSets: PartSets
  private let directory: DataDirectory
  private let isClosed = Atomic<Bool>(false)
  /// The highest number of a collection so far.
  private let lastID: Mutex<Int64>

  /// Opens the store in a directory, which is made if it is not there.
  ///
  /// - Throws: `StoreOpenError`, when it cannot be used as it is.
  public init(directory path: String, options: StoreOptions) throws(StoreOpenError) {
    let directory = try DataDirectory(path)
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
    maintenance.start(writer)
  }

  private static func open(_ path: String, _ options: StoreOptions) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = readerCount
    configuration.persistentReadOnlyConnections = true
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(Double(LogCheckpointer.busySeconds))
    configuration.label = "livedelta.store"
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { db in
      try Schema.migrate(db, path: path)
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

  /// Connections that read.
  private static let readerCount = 4

  /// Opens all connections that read, with their files: later there may be no descriptors left.
  ///
  /// Each takes a connection that is not in use, so all are held until the last one is open.
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

  /// Finishes what is under way, moves the log into the database, and closes it.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    maintenance.stop()
    pool.writeWithoutTransaction { maintenance.finish($0) }
    do {
      try pool.close()
    } catch {
      options.faults(Fault(.storeUnavailable, "not closed: \(StoreError(error).text)"))
    }
    directory.release()
  }

  // MARK: CollectionStore

  /// Always.
  public var keepsContents: Bool { true }

  /// Whether the last write worked.
  public var isReady: Bool { writer.isReady }

  /// Encodes on the caller's thread, and writes with the next group.
  public func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    var parts = PartList(partSets, partBytesMax: options.partBytesMax)
    let write = StoreWrite(transaction, &parts) { self.newID() }
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

  /// Reads the newest version of each of a client's collections.
  public func summaries(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[CollectionSummary], StoreError>) -> Void
  ) {
    let faults = options.faults
    read(completion) { tables in
      let (named, namelessCount) = try tables.summaries(client.text)
      if namelessCount > 0 {
        let text = "\(namelessCount) collections of the client have damaged names"
        faults(Fault(.collectionDamaged, text, client: client))
      }
      return named
    }
  }

  /// Reads a collection's image and the changes since.
  public func load(
    _ key: CollectionKey,
    completion: @escaping @Sendable (Result<StoredCollection?, StoreError>) -> Void
  ) {
    let maintenance = maintenance
    read(completion) { tables in
      guard let row = try tables.collection(key.client.text, key.name.text),
        let found = try tables.load(row.id, lineage: row.lineage)
      else { return nil }
      maintenance.note(row.id, loaded: found.changes)
      return found.collection
    }
  }

  /// Reads a ledger.
  public func requests(
    of client: ResourceName, about collection: ResourceName?,
    completion: @escaping @Sendable (Result<[IdempotencyRecord], StoreError>) -> Void
  ) {
    let options = options
    read(completion) { tables in
      guard let ledger = try tables.ledger(client.text, collection?.text ?? "") else { return [] }
      let oldest = options.date() - options.requestSeconds
      return try tables.requests(ledger, after: oldest, max: options.requestsMax).map {
        try IdempotencyRecord($0, about: collection)
      }
    }
  }

  /// Counts rows.
  public func countCollections(_ completion: @escaping @Sendable (Int) -> Void) {
    let faults = options.faults
    pool.asyncRead { db in
      do {
        completion(try Int.fetchOne(db.get(), sql: "SELECT count(*) FROM collection") ?? 0)
      } catch {
        let failure = StoreError(error)
        faults(Fault(.storeUnavailable, "collections were not counted: \(failure.text)"))
        completion(0)
      }
    }
  }

  private func newID() -> Int64 {
    lastID.withLock { last in
      last += 1
      return last
    }
  }

  private func read<T: Sendable>(
    _ completion: @escaping @Sendable (Result<T, StoreError>) -> Void,
    _ work: @escaping @Sendable (StoreTables) throws -> T
  ) {
    pool.asyncRead { db in
      do {
        let db = try db.get()
        do {
          completion(.success(try work(StoreTables(db: db))))
        } catch {
          completion(.failure(StoreError(error, on: db)))
        }
      } catch {
        completion(.failure(StoreError(error)))
      }
    }
  }
}
