public import CollectionService
import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// The embedded store: one SQLite database in a directory of its own.
///
/// A collection is an image and the changes since: a write adds one change, as many bytes as
/// differ. Images are renewed between writes. Writes of many collections share a transaction and
/// a sync; readers have connections of their own and never wait for a writer.
public final class SQLiteStore: CollectionStore {
  let pool: DatabasePool
  let options: StoreOptions
  let writer: GroupWriter
  let upkeep: Upkeep
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
    do {
      pool = try Self.open(directory.database, options)
      lastID = Mutex(
        try pool.read { db in
          try Int64.fetchOne(
            db,
            sql: """
              SELECT max(coalesce((SELECT max(id) FROM collection), 0),
                coalesce((SELECT max(collection) FROM garbage), 0))
              """) ?? 0
        })
    } catch {
      throw StoreOpenError(error, path: directory.database)
    }
    upkeep = Upkeep(pool, options)
    writer = GroupWriter(pool) { [upkeep] in upkeep.pause($0) }
    upkeep.start(writer)
  }

  private static func open(_ path: String, _ options: StoreOptions) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = 4
    configuration.persistentReadOnlyConnections = true
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(5)
    configuration.label = "livedelta.store"
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { db in
      try Schema.migrate(db, path: path)
      try db.execute(
        sql: """
          PRAGMA synchronous = \(options.durability == .full ? "FULL" : "NORMAL");
          PRAGMA wal_autocheckpoint = 0;
          PRAGMA cache_size = -8192;
          PRAGMA journal_size_limit = \(options.checkpointPages * 4096 * 4);
          """)
    }
    return pool
  }

  /// Finishes what is under way, moves the log into the database, and closes it.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    upkeep.stop()
    pool.writeWithoutTransaction { db in _ = try? db.checkpoint(.truncate) }
    try? pool.close()
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
    let write = StoreWrite(transaction) { self.newID() }
    let upkeep = upkeep
    writer.submit(
      GroupWriter.Job(
        work: { tables in try write.run(tables, upkeep) },
        completion: { refusal in
          if refusal?.isOutage == true { upkeep.probe() }
          completion(refusal.map { .failure($0) } ?? .success(()))
        }))
  }

  /// Reads the newest version of each of a client's collections.
  public func summaries(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[CollectionSummary], StoreError>) -> Void
  ) {
    read(completion) { try $0.summaries(client.text) }
  }

  /// Reads a collection's image and the changes since.
  public func load(
    _ key: CollectionKey,
    completion: @escaping @Sendable (Result<StoredCollection?, StoreError>) -> Void
  ) {
    let upkeep = upkeep
    read(completion) { tables in
      guard let row = try tables.collection(key.client.text, key.name.text),
        let found = try tables.load(row.id, lineage: row.lineage)
      else { return nil }
      upkeep.note(
        row.id, count: found.changeCount, bytes: found.changeBytes, imageBytes: found.imageBytes)
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
    pool.asyncRead { db in
      let count = try? Int.fetchOne(db.get(), sql: "SELECT count(*) FROM collection")
      completion(count.flatMap(\.self) ?? 0)
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
        completion(.success(try work(StoreTables(db: try db.get()))))
      } catch {
        completion(.failure(StoreError(error)))
      }
    }
  }
}
