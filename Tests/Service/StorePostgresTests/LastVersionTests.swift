import SnapshotJSON
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// Collections at the end of the numbers that versions can have.
@Suite(.timeLimit(.minutes(10))) struct LastVersionTests {
  private static let other = CollectionKey(client: name("u42"), name: name("other"))

  /// Runs a body over each kind of store, with what restarts it.
  private func withBenches(
    _ body: (() -> ServiceBench, () -> any CollectionStore, () throws -> Void) async throws -> Void
  ) async throws {
    let directory = try StoreBench()
    try await body({ directory.bench }, { directory.store }) { try directory.restart() }
    guard PostgresServer.isInstalled else { return }
    let server = try #require(PostgresServer.shared)
    let database = try PostgresBench(server)
    try await body({ database.bench }, { database.store }) { try database.restart() }
  }

  /// Stores a collection with one item at a version, as if it had always been there.
  private func place(_ token: VersionToken, _ store: any CollectionStore) async throws {
    let recorder = RecordingStore()
    let bench = ServiceBench(store: recorder)
    _ = try await bench.put(#"[{"id":1}]"#)
    let change = try #require(recorder.transactions.first?.entries.first?.change)
    guard case .put(let version) = change else {
      Issue.record("nothing was put")
      return
    }
    let first = StoredCollection(version)
    var record = version.record
    record.seq = token.seq
    let ids = first.ids
    record.digest = ids.digest(of: first.sections, meta: nil, lineage: token.lineage)
    let moved = StoredVersion(
      token: VersionToken(lineage: token.lineage, seq: token.seq, digest: record.digest.text),
      lineage: Lineage(token.lineage),
      record: record, sections: version.sections, ids: version.ids, contents: version.contents,
      previous: nil, settings: nil)
    let transaction = StoreTransaction(
      client: bench.key.client,
      entries: [
        .init(
          name: bench.key.name, expected: nil, expectedRevision: nil,
          change: .restore(StoredHistory(StoredCollection(moved))))
      ])
    #expect(await store.outcome(transaction) == nil)
  }

  private static let digest = "aaaaaaaaaaaaaaaa"

  @Test(arguments: [
    VersionToken(lineage: "aaaaaaaa", seq: 999_999_999_999_999_999, digest: digest),
    VersionToken(lineage: String(repeating: "a", count: 45), seq: 9, digest: digest),
  ])
  func `the last version is served, what would follow is refused, and nothing is destroyed`(
    last: VersionToken
  ) async throws {
    try await withBenches { bench, store, restart in
      var token = last
      token = VersionToken(lineage: last.lineage, seq: last.seq - 1, digest: last.digest)
      try await place(token, store())
      let receipt = try await bench().put(#"[{"id":2}]"#)
      #expect(receipt.version.seq == last.seq && receipt.version.lineage == last.lineage)
      for _ in 0..<2 {
        for body in [#"[{"id":3}]"#, "[]"] {
          let refusal = await refusal { try await bench().put(body) }
          guard case .versionsExhausted(receipt.version)? = refusal?.error else {
            Issue.record("\(refusal as Any)")
            return
          }
        }
        #expect(try await !bench().put(#"[{"id":2}]"#).isChanged)
        #expect(try await bench().delta(since: nil).text == ":2")
        #expect(try await bench().delta(since: receipt.version).text == "unchanged")
        #expect(try await bench().delta(since: receipt.previous).text.hasPrefix("delta"))
        try restart()
      }
      #expect(try await bench().put("[]", to: Self.other).isCreated)
      _ = try await bench().delete()
      #expect(try await bench().put(#"[{"id":3}]"#).version.seq == 1)
    }
  }

  @Test func `a copy leaves out what could not be written any more, and tells so`() async throws {
    try await withBenches { bench, store, _ in
      for (number, seq) in [
        VersionToken.arrivingSeqMax, VersionToken.arrivingSeqMax + 1, 999_999_999_999_999_998,
        999_999_999_999_999_999,
      ].enumerated() {
        let isTaken = number == 0
        try await place(VersionToken(lineage: "aaaaaaaa", seq: seq, digest: Self.digest), store())
        for target in [try StoreBench()] {
          let report = try await copied(store(), to: target.store)
          #expect(report.copied == (isTaken ? 1 : 0))
          #expect(report.damaged.map(\.key) == (isTaken ? [] : [target.bench.key]))
          if isTaken {
            #expect(try await target.bench.put("[]").version.seq == seq + 1)
            try target.restart()
            #expect(try await target.bench.put(#"[{"id":4}]"#).version.seq == seq + 2)
          }
        }
        #expect(try await bench().delta(since: nil).text == ":1")
        _ = try await bench().delete()
      }
    }
  }

  /// The lower half of a change's number in a directory begins again there.
  @Test func `versions go on past each power of two`() async throws {
    try await withBenches { bench, store, restart in
      let start = 1 << 32 - 4
      try await place(VersionToken(lineage: "aaaaaaaa", seq: start, digest: Self.digest), store())
      var versions: [VersionToken] = []
      for number in 1...8 {
        let receipt = try await bench().put("[{\"id\":1},{\"id\":\(number + 1)}]")
        #expect(receipt.version.seq == start + number)
        versions.append(receipt.version)
        try restart()
        #expect(try await bench().delta(since: nil).text == ":1,\(number + 1)")
        // A directory stores an image there, which has no older versions.
        let answer = try await bench().delta(since: versions[0]).text
        let wanted = number == 1 ? ["unchanged"] : number < 4 ? ["delta"] : ["delta", "history-c"]
        #expect(wanted.contains { answer.hasPrefix($0) }, "\(number): \(answer)")
      }
      let target = try StoreBench()
      let report = try await copied(store(), to: target.store)
      #expect(report.copied == 1 && report.damaged.isEmpty && report.shortened.isEmpty)
      try target.restart()
      #expect(try await target.bench.delta(since: nil).text == ":1,9")
      #expect(try StoreVerifier.verify(directory: target.directory).faults.isEmpty)
    }
  }
}
