import CollectionService
import Foundation
import GRDB
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// The secret of a lineage is kept with it, so that restricted readers go on from the tokens that they hold.
@Suite(.timeLimit(.minutes(10))) struct LineageSecretTests {
  private static let other = CollectionKey(client: name("u42"), name: name("other"))

  /// The tokens that a restricted reader is shown, of the collection's versions and of another's.
  private func tokens(_ bench: ServiceBench) async throws -> [VersionToken?] {
    let restriction = try ViewRestriction([("where", "/p:eq:true")])
    var tokens: [VersionToken?] = []
    for key in [bench.key, Self.other] {
      let request = ReadRequest(.restricted(restriction), since: nil, form: .plain)
      tokens.append(try await bench.read(request, key).heldVersion)
    }
    for token in tokens { #expect(token?.mark?.kind == .restriction) }
    return tokens
  }

  private func fill(_ bench: ServiceBench) async throws {
    for number in 0..<9 { _ = try await bench.put(#"[{"id":1,"p":true,"n":\#(number)}]"#) }
    _ = try await bench.put(#"[{"id":1,"p":true}]"#, to: Self.other)
  }

  private func secrets(_ bench: StoreBench) throws -> [Data] {
    try bench.queue().read {
      try Data.fetchAll($0, sql: "SELECT secret FROM collection ORDER BY client, name")
    }
  }

  @Test func `it is kept over restarts, crashes and new images, and not with the next lineage`()
    async throws
  {
    let bench = try StoreBench { $0.changesMax = 4 }
    try await fill(bench.bench)
    let held = try await tokens(bench.bench)
    let secrets = try secrets(bench)
    #expect(Set(secrets).count == 2 && secrets.allSatisfy { $0.count == 16 })
    try await until { try bench.count("image WHERE seq >= 5") != 0 }
    for _ in 0..<2 {
      try bench.restart()
      #expect(try await tokens(bench.bench) == held)
      try bench.crash()
      #expect(try await tokens(bench.bench) == held)
    }
    #expect(try self.secrets(bench) == secrets)
    _ = try await bench.bench.put(#"[{"id":2}]"#)
    _ = try await bench.bench.put(#"[{"id":1,"p":true,"n":8}]"#)
    let next = try await tokens(bench.bench)
    #expect(next[0]?.mark == held[0]?.mark && next[0]?.digest != held[0]?.digest)
    _ = try await bench.bench.delete()
    try await fill(bench.bench)
    let again = try await tokens(bench.bench)
    #expect(again[0]?.mark != held[0]?.mark && again[1] == held[1])
  }

  @Test func `a back-up and an export have it`() async throws {
    let bench = try StoreBench()
    try await fill(bench.bench)
    let held = try await tokens(bench.bench)
    let backup = bench.directory + "-backup"
    try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: backup) }
    try StoreBackup.write(directory: bench.directory, to: backup + "/livedelta.sqlite")
    let restored = try SQLiteStore(directory: backup, options: bench.options)
    defer { restored.close() }
    #expect(try await tokens(ServiceBench(store: restored, seed: 9)) == held)
    let target = try StoreBench(seed: 2)
    var lines: [TransferLine] = []
    try await StoreExport(of: bench.store).run { line throws(TransferError) in lines.append(line) }
    var run = StoreImport(to: target.store)
    for line in lines { try await run.add(TransferLine(line.text)) }
    #expect(run.report.isComplete && run.report.copied == 2)
    #expect(try await tokens(target.bench) == held)
    try target.restart()
    #expect(try await tokens(target.bench) == held)
  }

  @Test func `an export of a release before has none: one is drawn, and readers begin anew`()
    async throws
  {
    let bench = try StoreBench()
    try await fill(bench.bench)
    let held = try await tokens(bench.bench)
    let target = try StoreBench(seed: 2)
    var lines: [TransferLine] = []
    try await StoreExport(of: bench.store).run { line throws(TransferError) in lines.append(line) }
    var run = StoreImport(to: target.store)
    for line in lines {
      let old = String(decoding: line.text, as: UTF8.self)
        .replacing(#/"secret":"[^"]*",/#, with: "")
      try await run.add(TransferLine(Array(old.utf8)))
    }
    let drawn = try await tokens(target.bench)
    for (one, other) in zip(held, drawn) {
      #expect(one?.seq == other?.seq && one?.mark != other?.mark)
    }
    try target.restart()
    #expect(try await tokens(target.bench) == drawn)
    for secret in ["AAAA", "", "AAECAwQFBgcICQoLDA0ODw8P"] {
      let wrong = lines.compactMap { line -> [UInt8]? in
        let text = String(decoding: line.text, as: UTF8.self)
        let other = text.replacing(#/"secret":"[^"]*"/#, with: #""secret":"\#(secret)""#)
        return other == text ? nil : Array(other.utf8)
      }
      #expect(!wrong.isEmpty)
      for line in wrong { #expect(throws: DamagedData.self) { try TransferLine(line) } }
    }
  }

  @Test func `a file of the format before is given one for each collection`() async throws {
    let bench = try StoreBench()
    try await fill(bench.bench)
    let gone = CollectionKey(client: name("u42"), name: name("gone"))
    _ = try await bench.bench.put("[]", to: gone)
    _ = try await bench.bench.delete(gone)
    bench.store.close()
    try await bench.queue().writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ALTER TABLE collection DROP COLUMN secret; ALTER TABLE deletion DROP COLUMN secret;
          PRAGMA user_version = 9
          """)
    }
    try bench.open()
    let secrets = try secrets(bench)
    #expect(Set(secrets).count == 2 && secrets.allSatisfy { $0.count == 16 })
    let held = try await tokens(bench.bench)
    try bench.restart()
    #expect(try await tokens(bench.bench) == held)
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }

  @Test func `a secret of another size is damage, and nothing is shown`() async throws {
    let bench = try StoreBench()
    try await fill(bench.bench)
    bench.store.close()
    try await bench.queue().writeWithoutTransaction { db in
      try db.execute(sql: "UPDATE collection SET secret = x'00' WHERE name = 'other'")
    }
    try bench.open()
    let restriction = try ViewRestriction([("where", "/p:eq:true")])
    for access in [ReadAccess.restricted(restriction), .everything] {
      let failure = await refusal {
        try await bench.bench.read(
          ReadRequest(access, since: nil, form: .plain), Self.other)
      }
      guard case .collectionDamaged? = failure?.error else {
        Issue.record("\(access): \(String(describing: failure))")
        continue
      }
    }
    bench.store.close()
    #expect(try !StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }
}
