import CollectionService
import Foundation
import GRDB
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Back-ups that are put back.
@Suite(.timeLimit(.minutes(10))) struct RestoreTests {
  /// A store with one item, a back-up of it, and what a process left that ended after it had written another item.
  private struct Crash {
    let bench: StoreBench
    let backup: String
    let first: VersionToken

    init() async throws {
      bench = try StoreBench()
      backup = bench.directory + ".backup"
      first = try await bench.bench.put(#"[{"id":1}]"#).version
      try StoreBackup.write(directory: bench.directory, to: backup)
      _ = try await bench.bench.put(#"[{"id":2}]"#)
      try bench.crash()
      _ = try await bench.bench.put(#"[{"id":3}]"#)
      let left = bench.directory + "-left"
      try FileManager.default.copyItem(atPath: bench.directory, toPath: left)
      bench.store.close()
      try FileManager.default.removeItem(atPath: bench.directory)
      try FileManager.default.moveItem(atPath: left, toPath: bench.directory)
    }

    func remove() { try? FileManager.default.removeItem(atPath: backup) }

    var files: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: bench.directory).sorted() }
    }
  }

  private func error(_ body: () throws -> Void) -> StoreOpenError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreOpenError
    }
  }

  @Test func `a back-up takes the place of what a crash left, which is kept`() async throws {
    let crash = try await Crash()
    defer { crash.remove() }
    let database = crash.bench.database
    #expect(FileManager.default.fileExists(atPath: database + "-wal"))
    let report = try StoreRestore.restore(file: crash.backup, directory: crash.bench.directory)
    #expect(report.database == database && report.verified.collections == 1)
    #expect(!FileManager.default.fileExists(atPath: database + "-wal"))
    try crash.bench.open()
    #expect(try await crash.bench.bench.delta(since: nil).heldVersion == crash.first)
    // What was there is whole under its new name, with its log.
    let aside = try #require(report.movedAside.first)
    #expect(report.movedAside.contains(aside + "-wal"))
    #expect(try StoreVerifier.verify(file: aside).versions == 3)
  }

  @Test func `a back-up beside the log of another database is refused with all files named`()
    async throws
  {
    let crash = try await Crash()
    defer { crash.remove() }
    let database = crash.bench.database
    try FileManager.default.removeItem(atPath: database)
    try FileManager.default.copyItem(atPath: crash.backup, toPath: database)
    let before = try crash.files
    for attempt in [{ try crash.bench.open() }, { _ = try StoreVerifier.verify(file: database) }] {
      let refusal = try #require(error(attempt))
      #expect(refusal.cause == .damaged)
      for text in [database, database + "-wal", "livedelta restore"] {
        #expect(refusal.description.contains(text), "\(refusal)")
      }
    }
    #expect(try crash.files == before || crash.files == (before + ["lock"]).sorted())
    // The remedy that is named.
    _ = try StoreRestore.restore(file: crash.backup, directory: crash.bench.directory)
    try crash.bench.open()
    #expect(try await crash.bench.bench.delta(since: nil).heldVersion == crash.first)
  }

  @Test func `a back-up is the service's own once it was opened, whatever ends the service`()
    async throws
  {
    let crash = try await Crash()
    defer { crash.remove() }
    _ = try StoreRestore.restore(file: crash.backup, directory: crash.bench.directory)
    try crash.bench.open()
    let next = try await crash.bench.bench.put(#"[{"id":4}]"#)
    try crash.bench.crash()
    #expect(try await crash.bench.bench.delta(since: nil).heldVersion == next.version)
  }

  @Test func `a back-up of an earlier release is brought to this one's format`() async throws {
    let crash = try await Crash()
    defer { crash.remove() }
    try await DatabaseQueue(path: crash.backup).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ALTER TABLE collection DROP COLUMN secret;
          ALTER TABLE deletion DROP COLUMN secret;
          PRAGMA user_version = 9
          """)
    }
    let before = try Data(contentsOf: URL(filePath: crash.backup))
    let report = try StoreRestore.restore(file: crash.backup, directory: crash.bench.directory)
    #expect(report.verified.collections == 1)
    #expect(try Data(contentsOf: URL(filePath: crash.backup)) == before)
    try crash.bench.open()
    #expect(try await crash.bench.bench.delta(since: nil).heldVersion == crash.first)
  }

  @Test func `a directory in use, and a damaged back-up, are refused and nothing is changed`()
    async throws
  {
    let crash = try await Crash()
    defer { crash.remove() }
    let directory = crash.bench.directory
    let before = try crash.files
    let damaged = crash.backup + ".damaged"
    defer { try? FileManager.default.removeItem(atPath: damaged) }
    var bytes = try Data(contentsOf: URL(filePath: crash.backup))
    for index in bytes.indices where index >= 4096 { bytes[index] ^= 0x55 }
    try bytes.write(to: URL(filePath: damaged))
    let refusal = error { _ = try StoreRestore.restore(file: damaged, directory: directory) }
    #expect(refusal?.cause == .damaged)
    #expect(try crash.files == before)
    try crash.bench.open()
    let inUse = error { _ = try StoreRestore.restore(file: crash.backup, directory: directory) }
    #expect(inUse?.cause == .inUse)
    #expect(try await crash.bench.bench.delta(since: nil).text == ":3")
  }
}
