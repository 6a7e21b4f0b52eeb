import CollectionService
import Foundation
import GRDB
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct DamageTests {
  private let other = CollectionKey(client: name("u42"), name: name("other"))

  @Test(arguments: ["image", "change"])
  func `a flipped bit is found, its collection is not served, the others are`(table: String)
    async throws
  {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1,"t":"one"}]"#)
    _ = try await bench.bench.put(#"[{"id":1,"t":"two"}]"#)
    _ = try await bench.bench.put(#"[{"id":7}]"#, to: other)
    bench.store.close()
    try flip(bench.database, "SELECT rowid, data FROM \(table) LIMIT 1", table)
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.count == 1)
    #expect(report.faults.first?.hasPrefix("collection u42/inbox: ") == true)
    try bench.open()
    for _ in 0..<2 {
      guard
        case .collectionDamaged? = await refusal({ try await bench.bench.delta(since: nil) })?
          .error
      else {
        Issue.record("it is served")
        return
      }
    }
    let write = await refusal { try await bench.bench.put("[]") }
    guard case .collectionDamaged? = write?.error else { Issue.record("written"); return }
    #expect(bench.bench.service.counters.damagedLoads.value == 3)
    #expect(
      try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain), other).text
        == ":7")
    #expect(try await bench.bench.put(#"[{"id":8}]"#, to: other).version.seq == 2)
    #expect(bench.store.isReady)
    // Deleted and made anew, as the answer says.
    _ = try await bench.bench.delete()
    #expect(try await bench.bench.put(#"[{"id":2}]"#).version.seq == 1)
    try bench.restart()
    #expect(try await bench.bench.delta(since: nil).text == ":2")
  }

  @Test(arguments: [
    "DELETE FROM image WHERE collection = 1", "UPDATE image SET seq = 'x' WHERE collection = 1",
    "UPDATE image SET digest = 'short' WHERE collection = 1",
    "UPDATE collection SET lineage = '' WHERE id = 1",
    "UPDATE collection SET lineage = x'00ff' WHERE id = 1",
  ])
  func `a collection without a readable version keeps the client's others from nothing`(
    damage: String
  ) async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    _ = try await bench.bench.put(#"[{"id":7}]"#, to: other)
    bench.store.close()
    try await bench.queue().writeWithoutTransaction { db in
      try db.execute(sql: damage)
    }
    try bench.open()
    let service = bench.bench
    let version = try await service.put(#"[{"id":8}]"#, to: other).version
    #expect(version.seq == 2)
    #expect(
      try await service.read(ReadRequest(.everything, since: version, form: .plain), other).text
        == "unchanged")
    #expect(await service.indexNames() == ["other"])
    var read = ReadRequest(.everything, since: nil, form: .plain)
    read.requestID = RequestID(checked: Array("r1".utf8))
    let failures = [
      await refusal { try await service.read(read) }, await refusal { try await service.put("[]") },
    ]
    for failure in failures {
      guard case .collectionDamaged? = failure?.error else {
        Issue.record("\(failure as Any)")
        continue
      }
    }
    let faults = bench.faults.faults.filter { $0.kind == .collectionDamaged }
    #expect(faults.count == 3)
    #expect(faults.allSatisfy { $0.client == name("u42") && $0.collection == name("inbox") })
    #expect(faults.map(\.requestID) == [nil, read.requestID, nil])
    #expect(!faults.contains { $0.text.contains("inbox") || $0.text.contains("u42") })
    #expect(bench.store.isReady)
    #expect(try await service.delete().version.digest == "unreadable------")
    #expect(try await service.put(#"[{"id":2}]"#).version.seq == 1)
    try bench.restart()
    #expect(try await bench.bench.delta(since: nil).text == ":2")
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }

  @Test(arguments: [
    "DELETE FROM part WHERE id = (SELECT min(id) + 1 FROM part)",
    "DELETE FROM part WHERE id = (SELECT max(id) FROM part)",
    "DELETE FROM part", "UPDATE part SET data = zeroblob(20) WHERE id = (SELECT min(id) FROM part)",
    "UPDATE image SET part_set = part_set + 1", "UPDATE image SET part_set = 'x'",
    "UPDATE image SET part_set = NULL",
  ])
  func `a collection whose parts are damaged is found, and not served`(damage: String) async throws
  {
    let bench = try StoreBench { $0.partBytesMax = 20 }
    _ = try await bench.bench.put(#"[{"id":1,"t":"one"}]"#)
    bench.store.close()
    try await bench.queue().writeWithoutTransaction {
      try $0.execute(sql: damage)
    }
    #expect(try !StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
    try bench.open()
    guard
      case .collectionDamaged? = await refusal({ try await bench.bench.delta(since: nil) })?.error
    else {
      Issue.record("it is served")
      return
    }
    _ = try await bench.bench.delete()
    #expect(try await bench.bench.put(#"[{"id":2}]"#).version.seq == 1)
    #expect(try await bench.bench.delta(since: nil).text == ":2")
  }

  @Test func `names that nobody can ask for are found`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    _ = try await bench.bench.put(#"[{"id":7}]"#, to: other)
    bench.store.close()
    try await bench.queue().writeWithoutTransaction { db in
      try db.execute(sql: "UPDATE collection SET name = 'in box' WHERE name = 'inbox'")
      try db.execute(sql: "UPDATE collection SET client = '' WHERE name = 'other'")
    }
    #expect(
      try StoreVerifier.verify(directory: bench.directory).faults == [
        "collection u42/in box: its name is damaged", "collection /other: its name is damaged",
      ])
  }

  @Test func `parts that belong to nothing, or to two, are found`() async throws {
    let bench = try StoreBench { $0.partBytesMax = 20 }
    _ = try await bench.bench.put(#"[{"id":1,"t":"one"}]"#)
    _ = try await bench.bench.put(#"[{"id":7}]"#, to: other)
    bench.store.close()
    let queue = try bench.queue()
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO part SELECT id + (90 << 20), data FROM part LIMIT 3")
    }
    var faults = try StoreVerifier.verify(directory: bench.directory).faults
    #expect(faults == ["3 parts belong to nothing"])
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO unused_parts VALUES (91)")
      try db.execute(sql: "INSERT INTO unused_parts SELECT part_set FROM image LIMIT 1")
    }
    faults = try StoreVerifier.verify(directory: bench.directory).faults
    #expect(faults == ["1 sets of parts belong to two"])
  }

  // Whatever differs from what was written, verify finds; nothing crashes. A lost row may take a
  // collection back to an earlier version: readers' tokens tell them so.
  @Test(arguments: [512 << 10, 40])
  func `flipped bytes anywhere are found or do no harm`(partBytesMax: Int) async throws {
    let seed = UInt64.random(in: 1...9999)
    var generator = SeededGenerator(seed: seed)
    let bench = try StoreBench { $0.partBytesMax = partBytesMax }
    var keys: [CollectionKey] = []
    for number in 0..<20 {
      let key = CollectionKey(client: name("u\(number % 3)"), name: name("c\(number)"))
      keys.append(key)
      for version in 0..<3 {
        _ = try await bench.bench.put("[{\"id\":\"\(number)-\(version)\"}]", to: key)
      }
    }
    bench.store.close()
    let whole = try Data(contentsOf: URL(filePath: bench.database))
    for round in 0..<60 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 100..<bytes.count, using: &generator)] ^=
          UInt8(1 << Int.random(in: 0..<8, using: &generator))
      }
      try bytes.write(to: URL(filePath: bench.database))
      let report = try? StoreVerifier.verify(directory: bench.directory)
      let isFound = report.map { !$0.faults.isEmpty } ?? true
      guard (try? bench.open()) != nil else {
        #expect(isFound, "seed \(seed), round \(round): not opened")
        continue
      }
      for (number, key) in keys.enumerated() {
        let answer = try? await bench.bench.read(
          ReadRequest(.everything, since: nil, form: .plain), key
        ).text
        #expect(
          isFound || answer == ":\(number)-2",
          "seed \(seed), round \(round): \(key.name) gives \(answer as Any)")
        #expect(
          answer == nil || answer?.hasPrefix(":\(number)-") == true,
          "seed \(seed), round \(round): \(key.name) gives \(answer as Any)")
      }
      bench.store.close()
    }
  }

  private func flip(_ path: String, _ query: String, _ table: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      guard let row = try Row.fetchOne(db, sql: query) else { return }
      var data: Data = row[1]
      data[data.count / 2] ^= 4
      try db.execute(
        sql: "UPDATE \(table) SET data = ? WHERE rowid = ?", arguments: [data, row[0] as Int64])
    }
  }
}

extension ServiceBench {
  /// The names of the client's collections, as its index has them.
  fileprivate func indexNames() async -> [String] {
    let result = await withCheckedContinuation { continuation in
      service.index(of: key.client, after: nil, limit: 100) { continuation.resume(returning: $0) }
    }
    return (try? result.get().page.map(\.name.text)) ?? []
  }
}
