import GRDB
import StoreSQLite
import TestSupport
import Testing
import VersionedCollections

/// The simulated disk: what is there after a failure.
@Suite(.timeLimit(.minutes(10))) struct DiskTests {
  private static let (sector, count) = (SimulatedDisk.sectorBytes, 8 * SimulatedDisk.sectorBytes)

  /// A disk with a file that was written twice, and synced after the first time.
  private func disk(_ seed: UInt64) throws -> SimulatedDisk {
    let disk = SimulatedDisk(SeededGenerator(seed: seed))
    disk.create("file")
    try disk.write(Array(repeating: 1, count: Self.count), to: "file", at: 0)
    try disk.sync("file")
    try disk.write(Array(repeating: 2, count: Self.count), to: "file", at: 0)
    return disk
  }

  private func bytes(_ disk: SimulatedDisk) throws -> [UInt8] {
    Array(try disk.read("file", at: 0, count: Self.count + 1))
  }

  @Test func `without power each sector that was not synced is new, old or torn`() throws {
    var seen: Set<String> = []
    for seed in 1...100 as ClosedRange<UInt64> {
      let disk = try disk(seed)
      disk.losePower()
      let bytes = try bytes(disk)
      #expect(bytes.count == Self.count)
      for start in stride(from: 0, to: Self.count, by: Self.sector) {
        let sector = bytes[start..<start + Self.sector]
        let half = sector.prefix(Self.sector / 2)
        #expect(sector.allSatisfy { $0 == sector.last } || half.allSatisfy { $0 == 2 })
        seen.insert(sector.allSatisfy { $0 == sector.last } ? "\(sector[start])" : "torn")
      }
      if Set(bytes) == [1] { seen.insert("all old") }
      if Set(bytes) == [2] { seen.insert("all new") }
    }
    #expect(seen == ["1", "2", "torn", "all old", "all new"])
  }

  @Test func `what was synced is there without power, and what a process wrote after its end`()
    throws
  {
    for seed in 1...20 as ClosedRange<UInt64> {
      let disk = try disk(seed)
      disk.endProcess()
      #expect(Set(try bytes(disk)) == [2])
      try disk.sync("file")
      disk.losePower()
      #expect(Set(try bytes(disk)) == [2])
    }
  }

  @Test func `what a failed sync has not written is lost, even if the next one succeeds`() throws {
    var lost = 0
    for seed in 1...40 as ClosedRange<UInt64> {
      let disk = try disk(seed)
      disk.writesFailOneIn = 1
      #expect(throws: SimulatedDisk.Failure.broken) { try disk.sync("file") }
      disk.writesFailOneIn = nil
      try disk.sync("file")
      #expect(Set(try bytes(disk)) == [2])
      disk.losePower()
      if try bytes(disk).contains(1) { lost += 1 }
    }
    #expect(lost > 10 && lost < 40)
  }

  @Test func `a full disk refuses what is written, and lets it be read and synced`() throws {
    let disk = try disk(1)
    disk.isFull = true
    #expect(throws: SimulatedDisk.Failure.full) { try disk.write([3, 3], to: "file", at: 0) }
    #expect(Array(try bytes(disk).prefix(2)) == [3, 2])
    try disk.sync("file")
    disk.isFull = false
    try disk.write([3, 3], to: "file", at: 0)
    #expect(disk.failureCount == 1)
  }

  @Test func `the power fails in the midst of the action that is named`() throws {
    let disk = try disk(1)
    var failed = 0
    disk.onPowerLoss = { failed += 1 }
    disk.actionsUntilPowerLoss = 2
    try disk.sync("file")
    #expect(throws: SimulatedDisk.Failure.broken) {
      try disk.write(Array(repeating: 3, count: Self.count), to: "file", at: 0)
    }
    #expect(failed == 1 && disk.run == 1)
    #expect(try bytes(disk).suffix(Self.count / 2).allSatisfy { $0 == 2 })
    try disk.sync("file")
    #expect(failed == 1)
  }

  /// The process before has written what is not on the disk, though the next one finds it in the log.
  @Test
  func `what is committed after a restart is kept, whatever the process before could not sync`()
    throws
  {
    for seed in 1...20 as ClosedRange<UInt64> {
      let disk = SimulatedDisk(SeededGenerator(seed: seed))
      let path = DiskFiles.add(disk)
      defer { DiskFiles.remove(path) }
      func open() throws -> (DatabaseQueue, SQLiteStore) {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let world = World(keepsTrace: false)
        let thread = DiskThread(world, queue, SeededGenerator(seed: seed))
        return (queue, try SQLiteStore(thread, thread, StoreOptions(ServiceLimits())))
      }
      func add(_ queue: DatabaseQueue, _ value: Int) throws {
        try queue.writeWithoutTransaction {
          try $0.execute(sql: "INSERT INTO probe VALUES (?, 0)", arguments: [value])
        }
      }
      var (queue, store) = try open()
      // The log has it, and the sync fails.
      disk.syncsFail = true
      #expect(throws: DatabaseError.self) { try add(queue, 1) }
      disk.syncsFail = false
      disk.endProcess()
      (queue, store) = try open()
      try add(queue, 2)
      disk.losePower()
      (queue, store) = try open()
      let values = try queue.read { try Int.fetchAll($0, sql: "SELECT id FROM probe") }
      #expect(values.contains(2), "seed \(seed)")
      _ = store
    }
  }

  @Test(arguments: [true, false]) func `SQLite keeps what it has committed if it syncs`(
    syncs: Bool
  ) throws {
    var lostCount = 0
    for seed in 1...30 as ClosedRange<UInt64> {
      let disk = SimulatedDisk(SeededGenerator(seed: seed))
      let path = DiskFiles.add(disk)
      defer { DiskFiles.remove(path) }
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            PRAGMA journal_mode = WAL;
            CREATE TABLE number (value INTEGER);
            PRAGMA synchronous = \(syncs ? "FULL" : "OFF");
            """)
        for value in 0..<20 {
          try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
        }
      }
      disk.losePower()
      // An error means that it lost more than rows.
      let count = try? DatabaseQueue(path: path).read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM number")
      }
      if count != 20 { lostCount += 1 }
    }
    #expect(syncs ? lostCount == 0 : lostCount > 5)
  }
}
