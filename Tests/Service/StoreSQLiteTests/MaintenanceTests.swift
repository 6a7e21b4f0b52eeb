import CFaultyVFS
import Foundation
import GRDB
import GRDBSQLite
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// What keeps the files small goes on, whatever happened before.
@Suite(.timeLimit(.minutes(10))) struct MaintenanceTests {
  /// The versions that images are of, by the number of the collection.
  private func imageVersions(_ bench: StoreBench) throws -> [Int] {
    let queue = try bench.queue()
    return try queue.read { try Int.fetchAll($0, sql: "SELECT seq FROM image ORDER BY collection") }
  }

  @Test func `an image that could not be written is written later`() async throws {
    faulty_install()
    let bench = try StoreBench { $0.changesMax = 4 }
    for number in 0..<4 { _ = try await bench.bench.put(#"[{"id":\#(number)}]"#) }
    // As many writes succeed as the fourth change needs; the image that it asks for has none.
    for step in 0... {
      let plan = faulty_plan(
        bench.directory + "/", FAULTY_WRITES, step, .max, SQLITE_IOERR | (3 << 8))
      defer { faulty_clear(plan) }
      if await refusal({ try await bench.bench.put(#"[{"id":4}]"#) }) != nil { continue }
      let fault = try await bench.faults.first(.image)
      #expect(fault.text.contains("SQLite error 778"))
      break
    }
    #expect(try imageVersions(bench) == [1])
    for number in 5..<20 { _ = try await bench.bench.put(#"[{"id":\#(number)}]"#) }
    try await until { try imageVersions(bench) != [1] }
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty)
  }

  @Test func `collections get their images however many there are`() async throws {
    let bench = try StoreBench {
      $0.changesMax = 8
    }
    let keys = (0..<40).map { CollectionKey(client: name("u"), name: name("c\($0)")) }
    for round in 0..<30 {
      for key in keys { _ = try await bench.bench.put("[{\"id\":\(round)}]", to: key) }
    }
    var round = 30
    while try imageVersions(bench).contains(1) {
      for key in keys { _ = try await bench.bench.put("[{\"id\":\(round)}]", to: key) }
      round += 1
    }
    #expect(round < 100)
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty)
  }

  @Test func `a long back-up stalls no writer, and the log begins anew after it`() async throws {
    let bench = try StoreBench { $0.checkpointPages = 4 }
    _ = try await bench.bench.put("[]")
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: bench.database, configuration: configuration)
    // What a back-up does: a read that lasts.
    try await reader.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; SELECT count(*) FROM image")
    }
    let start = ContinuousClock.now
    for number in 0..<100 { _ = try await bench.bench.put(#"[{"id":\#(number)}]"#) }
    // One that is waited for costs each group five seconds, however fast the machine.
    #expect(ContinuousClock.now - start < .seconds(60))
    try await reader.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
    for number in 0..<100 { _ = try await bench.bench.put(#"[{"id":\#(number)}]"#) }
    let log = try FileManager.default.attributesOfItem(atPath: bench.database + "-wal")
    #expect(try #require(log[.size] as? Int) < 4096 * 64)
    #expect(bench.faults.faults.isEmpty, "\(bench.faults.faults)")
  }
}
