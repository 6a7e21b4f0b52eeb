import Dispatch
import GRDB
import Synchronization
public import VersionedCollections

/// An embedded store: an SQLite database in a directory of its own.
///
/// A collection is stored as an image and the changes since. A write adds one change, whose size is
/// what differs; images are renewed between writes. Small writes to many collections share a
/// transaction and a sync; large ones are written in parts between them. Readers have their own
/// connections and never wait for writers.
public final class SQLiteStore: CollectionStore {
  let pool: any StoreConnections
  let options: StoreOptions
  private let writer: GroupWriter
  private let maintenance: StoreMaintenance
  private let partSets: PartSets
  /// The directory; nil in a simulation.
  private let directory: DataDirectory?
  private let isClosed = Atomic<Bool>(false)

  /// Opens the store in a directory, creating it if needed and if it may be changed.
  ///
  /// - Throws: `StoreOpenError` if it cannot be used.
  public convenience init(directory path: String, options: StoreOptions) throws(StoreOpenError) {
    let database = DataDirectory.database(in: path)
    try BackupMark.check(database)
    try StoreHeader.refuseLater(database)
    let directory = try DataDirectory(path, isReadOnly: options.isReadOnly)
    for file in directory.openFiles {
      options.faults(Fault(.fileMode, "others can read a file of the store: \(file)"))
    }
    // Room for what opening the database writes; it is taken again afterwards.
    if !options.isReadOnly { _ = directory.reserve.release() }
    do {
      let pool = try Self.open(directory.database, options)
      try Self.openReaders(pool)
      try self.init(pool, SystemMaintenanceQueue(), options, directory)
    } catch {
      throw StoreOpenError(error, path: directory.database)
    }
  }

  /// Opens the store of a simulation, whose work is done when the simulation says so.
  ///
  /// - Throws: What the connections throw.
  package convenience init(
    _ connections: any StoreConnections, _ queue: any MaintenanceQueue, _ options: StoreOptions
  ) throws {
    try connections.writeWithoutTransaction { try Self.prepare($0, options, connections.path) }
    try self.init(connections, queue, options, nil)
  }

  private init(
    _ pool: any StoreConnections, _ queue: any MaintenanceQueue, _ options: StoreOptions,
    _ directory: DataDirectory?
  ) throws {
    (self.pool, self.options, self.directory) = (pool, options, directory)
    partSets = PartSets(last: try pool.read { try StoreTables(db: $0).lastPartSet() })
    let reserve = options.isReadOnly ? nil : directory?.reserve
    maintenance = StoreMaintenance(
      pool, queue, partSets, options, logPath: directory == nil ? nil : pool.path, reserve)
    writer = GroupWriter(pool, reserve, faults: options.faults) { [maintenance] db, wasLarge in
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
    try pool.writeWithoutTransaction { try prepare($0, options, path) }
    return pool
  }

  /// Brings the tables up to date, and sets up the writer's connection.
  private static func prepare(_ db: Database, _ options: StoreOptions, _ path: String) throws {
    try db.rewriteLog()
    try Schema.migrate(db, path: path)
    // Records of an earlier run with the limit say nothing about the time without it.
    if options.recordsUses {
      try StoreTables(db: db).recordMissingUses(date: options.date())
    } else if options.dropsRecords {
      try db.execute(sql: "DELETE FROM last_use")
    }
    try db.execute(
      sql: """
        \(options.durability.pragma);
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA cache_size = -8192;
        PRAGMA journal_size_limit = \(options.checkpointPages * 4096 * 4);
        """)
  }

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
    if !options.isReadOnly { pool.writeWithoutTransaction { maintenance.log.finish($0) } }
    do {
      try pool.close()
    } catch {
      options.faults(
        Fault(.storeUnavailable, "the database was not closed: \(StoreError(error).text)"))
    }
    directory?.release()
  }

  // MARK: Writing

  /// Always true.
  public var keepsContents: Bool { true }

  /// Why the last write failed, if it did.
  public var outage: StoreOutage? { writer.outage }

  /// The groups of the writer, and the sizes of the database and its log.
  public var statistics: StoreStatistics? {
    var statistics = writer.statistics
    (statistics.logBytes, statistics.checkpoints) = maintenance.log.statistics
    statistics.bytes = directory?.databaseBytes
    return statistics
  }

  /// Encodes the transaction on the caller's thread and writes it with the next group.
  public func commit(_ transaction: StoreTransaction, completion: @escaping StoreCompletion<Void>) {
    if options.isReadOnly {
      return completion(.failure(.unavailable("the store is open for reading only")))
    }
    var parts = PartList(partSets, partBytesMax: options.partBytesMax)
    let write = StoreWrite(transaction, &parts, options)
    let (maintenance, sets) = (maintenance, parts.sets)
    writer.submit(
      WriteJob(
        parts: parts.writes, work: write.run,
        completion: { failure in
          maintenance.note(write, sets, failure)
          completion(failure.map { .failure($0) } ?? .success(()))
        }, byteCount: parts.inlineBytes, frees: write.frees))
  }

  /// Records all uses in the writer's next group.
  public func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) {
    writer.submit(
      WriteJob(
        work: { tables in
          for key in uses { try tables.record(useOf: key, date: date) }
          return nil
        },
        completion: { [options] failure in
          let result = failure.map { Result<Void, StoreError>.failure($0) } ?? .success(())
          completion(options.durable.value(result, or: "uses were not recorded") != nil)
        }))
  }

  /// Counts the rows of collections before the writes in line, and between two of them, so that ``close()`` waits for it.
  public func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) {
    let finish: StoreCompletion<Int> = { [options] in
      completion(options.durable.value($0, or: "collections were not counted"))
    }
    let work: @Sendable (StoreTables) throws -> Int = {
      Int(try $0.number("SELECT count(*) FROM collection") ?? 0)
    }
    if options.isReadOnly { return read(work, finish) }
    let count = Mutex(0)
    writer.submit(
      WriteJob(
        work: { tables in
          let number = try work(tables)
          count.withLock { $0 = number }
          return nil
        },
        completion: { finish($0.map { .failure($0) } ?? .success(count.withLock(\.self))) },
        isFirst: true))
  }

  /// Renews images, clears garbage and empties the log, between groups of writes.
  public func compact(
    _ completion: @escaping StoreCompletion<CompactionReport>
  ) { maintenance.compact(completion) }
}
