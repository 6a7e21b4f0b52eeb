import CollectionService
import StorePostgres
import TestSupport
import VersionedCollections

/// A service over a database of its own.
final class PostgresBench {
  private let server: PostgresServer
  private let database: String
  private(set) var store: PostgresStore
  private(set) var bench: ServiceBench
  let faults = FaultRecorder()
  private var opened: UInt64 = 1 << 16
  private let options: PostgresOptions
  private let limits: ServiceLimits

  init(
    _ server: PostgresServer, encoders: AnswerEncoders = .plain,
    limits: ServiceLimits = ServiceLimits(), isNew: Bool = false,
    _ configure: (inout PostgresOptions) -> Void = { _ in }
  ) throws {
    self.server = server
    database = try server.makeDatabase(isEmpty: isNew)
    var options = PostgresOptions()
    options.date = { 1_750_000_000 }
    options.faults = faults.record
    configure(&options)
    self.options = options
    store = try PostgresStore(server.uri(database), options: options)
    self.limits = limits
    bench = ServiceBench(
      limits: limits, store: store, encoders: encoders, seed: opened, faults: faults.record)
  }

  /// Another replica; `directory` is that of another socket which leads to the server.
  func replica(
    _ limits: ServiceLimits = ServiceLimits(), through directory: String? = nil
  ) throws -> PostgresBench {
    try PostgresBench(server, database, options, limits, directory)
  }

  private init(
    _ server: PostgresServer, _ database: String, _ options: PostgresOptions,
    _ limits: ServiceLimits, _ directory: String?
  ) throws {
    (self.server, self.database) = (server, database)
    self.options = options
    self.limits = limits
    opened = UInt64.random(in: 1...(.max))
    store = try PostgresStore(server.uri(database, through: directory), options: options)
    bench = ServiceBench(limits: limits, store: store, seed: opened, faults: faults.record)
  }

  /// Executes statements in the database.
  ///
  /// - Returns: The rows.
  @discardableResult
  func sql(_ text: String) throws -> [String] { try server.sql(text, in: database) }

  /// Takes the collection of `bench`, whose settings never changed, to another version, as the
  /// promotion of a standby does that was behind.
  func move(to version: VersionToken) throws {
    try sql(
      """
      CREATE TABLE IF NOT EXISTS lost AS SELECT * FROM livedelta.change;
      DELETE FROM livedelta.change WHERE seq > \(version.seq);
      INSERT INTO livedelta.change SELECT * FROM lost WHERE seq <= \(version.seq)
        ON CONFLICT DO NOTHING;
      UPDATE livedelta.collection SET version = '\(version)', revision = \(version.seq)
      """)
  }

  /// Puts a new service over the database.
  func restart() throws {
    store.close()
    opened += 1
    store = try PostgresStore(server.uri(database), options: options)
    bench = ServiceBench(limits: limits, store: store, seed: opened, faults: faults.record)
  }

  /// Opens the same database for a copy from it or to it; the service's store is to be closed.
  func storeForCopy(isSource: Bool) throws -> PostgresStore {
    var options = PostgresOptions()
    let date = bench.date
    options.date = { Int64(date.value) }
    options.faults = faults.record
    return try PostgresStore(
      server.uri(database), options: options.forCopy(isSource: isSource))
  }

  /// Begins a session, to hold a transaction open.
  func session() throws -> PostgresSession { try PostgresSession(server.uri(database)) }

  deinit { store.close() }
}
