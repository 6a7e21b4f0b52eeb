import CollectionService
import DeltaEngine
import Foundation
import GRDB
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct OpeningTests {
  private func cause(_ directory: String) -> StoreOpenError.Cause? {
    do {
      try SQLiteStore(directory: directory, options: StoreOptions()).close()
      return nil
    } catch {
      return error.cause
    }
  }

  @Test func `all connections are open from the start`() async throws {
    let bench = try StoreBench()
    /// How many descriptors of this process lead to the files of the store.
    func openCount() throws -> [String: Int] {
      var counts: [String: Int] = [:]
      for number in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let path = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/" + number)
        guard let path, path.hasPrefix(bench.database) else { continue }
        counts[String(path.dropFirst(bench.database.utf8.count)), default: 0] += 1
      }
      return counts
    }
    let before = try openCount()
    #expect(before[""] == 6)
    let store = bench.store
    let key = bench.bench.key
    let parts = [StoredPart.summaries, .collection(key.name, unlessAt: nil)]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await withCheckedContinuation { continuation in
            store.read(parts, of: key.client) { _ in continuation.resume() }
          }
        }
      }
    }
    #expect(try openCount() == before)
  }

  @Test func `a directory is for one store at a time`() throws {
    let bench = try StoreBench()
    #expect(cause(bench.directory) == .inUse)
    bench.store.close()
    #expect(cause(bench.directory) == nil)
  }

  @Test func `a file of a later release is refused, and left as it is`() throws {
    let bench = try StoreBench()
    bench.store.close()
    try bench.queue().writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA user_version = 99")
    }
    try expectUntouched(bench.directory) { #expect(cause(bench.directory) == .newer) }
    let version = try bench.queue().read {
      try Int.fetchOne($0, sql: "PRAGMA user_version")
    }
    #expect(version == 99)
  }

  @Test func `nothing is written to a store of a later release, whose log was left behind`()
    async throws
  {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":"a"}]"#)
    bench.store.close()
    let copy = bench.directory + "/copy"
    let queue = try bench.queue()
    try migrateInLog(queue)
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    for file in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: bench.database + file, toPath: copy + "/livedelta.sqlite" + file)
    }
    try queue.close()
    try expectUntouched(copy) {
      #expect(cause(copy) == .newer)
      var options = StoreOptions()
      options.isReadOnly = true
      #expect(throws: StoreOpenError.self) {
        try SQLiteStore(directory: copy, options: options)
      }
      #expect(throws: StoreOpenError.self) { try StoreVerifier.verify(directory: copy) }
    }
  }

  /// Writes what a later release does that migrates, goes on writing and is killed: the migration is in the log only.
  private func migrateInLog(_ queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99")
      try db.execute(sql: "INSERT INTO probe (count) VALUES (1)")
    }
  }

  /// Checks that the files of a directory have the same names, contents and dates afterwards.
  private func expectUntouched(_ directory: String, _ body: () throws -> Void) throws {
    func files() throws -> [String: [AnyHashable]] {
      var files: [String: [AnyHashable]] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
        let path = directory + "/" + name
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let bytes = try Data(contentsOf: URL(filePath: path))
        files[name] = [
          bytes, attributes[.modificationDate] as? Date, attributes[.posixPermissions] as? Int,
        ]
      }
      return files
    }
    let before = try files()
    try body()
    #expect(try files() == before)
  }

  @Test func `a file of another program, and what is no database, are refused`() throws {
    let bench = try StoreBench()
    bench.store.close()
    try FileManager.default.removeItem(atPath: bench.database)
    try bench.queue().writeWithoutTransaction {
      try $0.execute(sql: "CREATE TABLE theirs (id INTEGER)")
    }
    #expect(cause(bench.directory) == .damaged)
    try Data(repeating: 7, count: 9000).write(to: URL(filePath: bench.database))
    #expect(cause(bench.directory) == .damaged)
  }

  @Test func `a directory that may not be made or written is refused with what to do`() throws {
    // The kernel's own directories are closed to root too.
    for directory in ["/proc/livedelta", "/sys/livedelta"] {
      #expect(cause(directory) == .permission || cause(directory) == .system)
    }
    #expect(cause("/dev/null/livedelta") == .missing)
    guard getuid() != 0 else { return }
    let bench = try StoreBench()
    bench.store.close()
    chmod(bench.directory, 0o500)
    defer { chmod(bench.directory, 0o700) }
    #expect(cause(bench.directory) == .permission)
  }

  @Test(arguments: 0..<10)
  func `a file of each earlier format is led to this one, and keeps what it has`(format: Int)
    async throws
  {
    let bench = try StoreBench()
    let first = try await bench.bench.put(#"[{"id":1}]"#)
    bench.store.close()
    // What later steps add goes again: that is a file of the earlier format.
    try await bench.queue().writeWithoutTransaction { db in
      if format == 8 {
        try db.execute(
          sql: "CREATE TABLE size (collection INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)")
      }
      if format < 10 {
        try db.execute(
          sql: """
            ALTER TABLE collection DROP COLUMN secret; ALTER TABLE deletion DROP COLUMN secret
            """)
      }
      if format < 7 { try db.execute(sql: "DROP TABLE last_use") }
      if format < 6 { try db.execute(sql: "DROP TABLE deletion") }
      if format < 5 { try db.execute(sql: "ALTER TABLE image DROP COLUMN oldest") }
      if format < 4 {
        try db.execute(
          sql: """
            DROP INDEX change_part_set; DROP INDEX image_part_set;
            DROP TABLE unused_parts; DROP TABLE part; ALTER TABLE change DROP COLUMN part_set;
            ALTER TABLE image DROP COLUMN revision; ALTER TABLE image DROP COLUMN part_set;
            """)
      }
      if format < 3 { try db.execute(sql: "DROP TABLE probe") }
      if format < 2 { try db.execute(sql: "DROP TABLE request; DROP TABLE ledger") }
      if format < 1 {
        try db.execute(
          sql: "DROP TABLE garbage; DROP TABLE change; DROP TABLE image; DROP TABLE collection")
      }
      try db.execute(sql: "PRAGMA user_version = \(format)")
    }
    try bench.open()
    let head = try? await bench.bench.delta(since: nil).heldVersion
    #expect(head == (format == 0 ? nil : first.version))
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 1))
    let request = WriteRequest(.put(body: Array(#"[{"id":2}]"#.utf8)), key: key)
    let second = try await bench.bench.write(request)
    try bench.restart()
    #expect(try await bench.bench.delta(since: nil).heldVersion == second.version)
    #expect(try await bench.bench.write(request).isReplayed)
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }

  @Test func `an image that an earlier format has in its row is replaced by one in parts`()
    async throws
  {
    let bench = try StoreBench { $0.changesMax = 4 }
    _ = try await bench.bench.put(#"[{"id":"a"},{"id":"b"}]"#)
    bench.store.close()
    bench.options.partBytesMax = 16
    try bench.open()
    for number in 0..<4 { _ = try await bench.bench.put("[{\"id\":\(number)}]") }
    try await until { try bench.count("image WHERE part_set > 0 AND length(data) = 0") > 0 }
    try bench.restart()
    #expect(try await bench.bench.delta(since: nil).text == ":3")
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }
}
