import Foundation
package import GRDB
package import StoreSQLite
package import TestSupport
package import VersionedCollections

/// A service over a store on disk that can be closed and opened again.
package final class StoreBench {
  package let directory: String
  package private(set) var store: SQLiteStore
  package private(set) var bench: ServiceBench
  package var options: StoreOptions
  package var limits: ServiceLimits
  /// What went wrong in the store and the services over it.
  package let faults = FaultRecorder()
  private var opened: UInt64
  private let encoders: AnswerEncoders

  /// Where stores of tests are: in memory where there is room, since nothing here loses power.
  ///
  /// Faults of disks are those of `CFaultyVFS`.
  private static let temporary: URL = {
    let memory = URL(filePath: "/dev/shm")
    var status = statvfs()
    let isRoomy =
      statvfs(memory.path, &status) == 0 && access(memory.path, W_OK) == 0
      && UInt64(status.f_bavail) * UInt64(status.f_frsize) > 1 << 30
    return isRoomy ? memory : FileManager.default.temporaryDirectory
  }()

  package init(
    limits: ServiceLimits = ServiceLimits(), seed: UInt64 = 1, encoders: AnswerEncoders = .plain,
    _ configure: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    directory = Self.temporary.appending(path: "livedelta-store-\(UUID())").path
    self.limits = limits
    self.encoders = encoders
    options = StoreOptions(limits)
    options.date = { 1_750_000_000 }
    options.faults = faults.record
    configure(&options)
    opened = seed << 16
    store = try SQLiteStore(directory: directory, options: options)
    bench = ServiceBench(
      limits: limits, store: store, encoders: encoders, seed: opened, faults: faults.record)
  }

  package var database: String { directory + "/livedelta.sqlite" }

  /// Closes the store in order, and opens it again under a new service.
  package func restart() throws {
    store.close()
    try open()
  }

  /// A connection of the test's own, which waits while the store writes.
  package func queue() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: database, configuration: configuration)
  }

  /// Opens what a process leaves that ends without closing: the files as they are now.
  package func crash() throws {
    let copy = directory + "-crash"
    // While somebody reads, the log does not begin anew between the copies of its files.
    let reader = try queue()
    try reader.inDatabase { db in
      try db.inTransaction(.deferred) {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        return .rollback
      }
    }
    try reader.close()
    store.close()
    try FileManager.default.removeItem(atPath: directory)
    try FileManager.default.moveItem(atPath: copy, toPath: directory)
    try open()
  }

  package func open() throws {
    let date = bench.date.value
    opened += 1
    options.date = { Int64(date) }
    store = try SQLiteStore(directory: directory, options: options)
    bench = ServiceBench(
      limits: limits, store: store, encoders: encoders, seed: opened, faults: faults.record)
    bench.date.value = date
  }

  /// Opens the same directory for a copy from it or to it; the service's store is to be closed.
  package func storeForCopy(isSource: Bool) throws -> SQLiteStore {
    var options = StoreOptions()
    let date = bench.date
    options.date = { Int64(date.value) }
    options.faults = faults.record
    return try SQLiteStore(directory: directory, options: options.forCopy(isSource: isSource))
  }

  /// The number of rows of a table; a condition may follow its name.
  package func count(_ table: String) throws -> Int {
    try queue().read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
  }

  /// Returns once all is cleared away that nobody uses.
  package func untilCleared() async throws {
    try await until { try count("unused_parts") + count("garbage") == 0 }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
