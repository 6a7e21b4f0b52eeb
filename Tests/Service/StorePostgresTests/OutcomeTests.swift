import CollectionService
import DeltaEngine
import StorePostgres
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Writes whose connection to the database is lost when they are committed.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct OutcomeTests {
  /// A way of writing to a collection with two versions, of which the first is empty.
  enum Kind: CaseIterable {
    case create, put, edit, delete, settings, revert, batch
  }

  private let direct: PostgresBench
  private let cutter: CommitCutter
  private let cutOff: PostgresBench
  private var bench: ServiceBench { cutOff.bench }

  init() throws {
    let server = try #require(PostgresServer.shared)
    direct = try PostgresBench(server) { $0.database.answerSeconds = 2 }
    cutter = try CommitCutter(to: server.directory)
    cutOff = try direct.replica(through: cutter.directory)
  }

  private func isUnknown(_ error: ServiceError?) -> Bool {
    if case .outcomeUnknown? = error { true } else { false }
  }

  /// The head as the database has it.
  private func head() throws -> VersionToken? {
    let name = bench.key.name.text
    return try direct.sql("SELECT version FROM livedelta.collection WHERE name = '\(name)'").first
      .flatMap { VersionToken($0) }
  }

  private func request(_ kind: Kind, _ first: VersionToken?) -> WriteRequest? {
    let change: WriteRequest.Change? =
      switch kind {
      case .create, .put: .put(body: Array(#"[{"id":9}]"#.utf8))
      case .edit:
        .edit(
          body: Array(#"{"edits":[{"op":"append","section":"","items":[{"id":8}]}]}"#.utf8))
      case .delete: .delete
      case .settings: .settings(body: Array(#"{"emptySections":"drop"}"#.utf8), isPatch: true)
      case .revert: .revert(body: Array("{\"to\":\"\(first?.description ?? "")\"}".utf8))
      case .batch: nil
      }
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2))
    return change.map { WriteRequest($0, key: key) }
  }

  private func write(
    _ kind: Kind, _ first: VersionToken?, on bench: ServiceBench
  ) async throws -> WriteReceipt {
    if let request = request(kind, first) { return try await bench.write(request) }
    let writes = #"{"collection":"inbox","put":{"items":[{"id":7}]}},{"collection":"new","put":[]}"#
    let receipt = try await withCheckedContinuation { continuation in
      bench.service.batch(
        bench.key.client, body: Array("{\"writes\":[\(writes)]}".utf8),
        key: IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 3))
      ) { continuation.resume(returning: $0) }
    }.get()
    return try receipt.entries[0].result.get()
  }

  @Test(arguments: CommitCutter.Cut.allCases, Kind.allCases)
  func `a write cut off at its commit may have been written, and the same key tells`(
    cut: CommitCutter.Cut, kind: Kind
  ) async throws {
    defer { cutter.stop() }
    var versions: [VersionToken] = []
    if kind != .create {
      for body in ["[]", #"[{"id":1}]"#] { versions.append(try await bench.put(body).version) }
    }
    cutter.cutNext(cut)
    let failure = await refusal { try await write(kind, versions.first, on: bench) }
    #expect(isUnknown(failure?.error) && cutter.isDone, "\(failure as Any)")
    #expect(failure?.current == nil)
    #expect(cutOff.faults.faults.contains { $0.kind == .outcomeUnknown })
    // Nothing is answered from what was in memory before, although the time stands still.
    let head = try head()
    let shown = try? await bench.delta(since: nil).heldVersion
    #expect(shown == head)
    if cut == .before { #expect(head == versions.last) }

    let receipt = try await write(kind, versions.first, on: bench)
    #expect(receipt.isReplayed == (cut != .before))
    let seq = kind == .create ? 1 : kind == .settings || kind == .delete ? 2 : 3
    #expect(receipt.version.seq == seq)
    #expect(try self.head() == (kind == .delete ? nil : receipt.version))
    if cut != .before { #expect(try self.head() == head) }
    for replica in [bench, direct.bench] {
      let again = try await write(kind, versions.first, on: replica)
      #expect(again.isReplayed && again.version == receipt.version)
    }
    #expect(try direct.sql("SELECT count(*) FROM livedelta.request") == ["1"])
  }

  @Test(arguments: CommitCutter.Cut.allCases)
  func `a client whose deletion was cut off can be deleted again`(
    cut: CommitCutter.Cut
  ) async throws {
    defer { cutter.stop() }
    let service = bench.service
    let client = bench.key.client
    _ = try await bench.put("[]")
    func delete() async -> ServiceFailure? {
      await refusal {
        try await withCheckedContinuation { continuation in
          service.deleteClient(client) { continuation.resume(returning: $0) }
        }.get()
      }
    }
    cutter.cutNext(cut)
    #expect(isUnknown(await delete()?.error))
    #expect(await delete() == nil)
    #expect(try head() == nil)
  }

  @Test func `a write without a key that was cut off is told as unknown, and is not done twice`()
    async throws
  {
    defer { cutter.stop() }
    _ = try await bench.put("[]")
    cutter.cutNext(.after)
    let failure = await refusal { try await bench.put(#"[{"id":1}]"#) }
    #expect(isUnknown(failure?.error))
    let again = try await bench.put(#"[{"id":1}]"#)
    #expect(!again.isChanged && again.version.seq == 2)
  }

  @Test func `readers learn at once of a write that was cut off and is there`() async throws {
    defer { cutter.stop() }
    let bench = bench
    let first = try await bench.put("[]").version
    async let news = bench.delta(since: first, wait: 50)
    try await bench.untilParked()
    cutter.cutNext(.after)
    #expect(isUnknown(await refusal { try await bench.put(#"[{"id":1}]"#) }?.error))
    #expect(try await news.text == #"delta +1{"id":1}"#)
  }

  @Test(arguments: CommitCutter.Cut.allCases)
  func `a refused write that is cut off has written nothing`(cut: CommitCutter.Cut) async throws {
    defer { cutter.stop() }
    let first = try await bench.put("[]").version
    _ = try await bench.put(#"[{"id":1}]"#)
    cutter.cutNext(cut)
    let failure = await refusal { try await bench.put("[]", .matching(first)) }
    guard case .storeUnavailable? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(cutter.isDone)
  }

  @Test func `many writes at once of which some are cut off are each done once`() async throws {
    defer { cutter.stop() }
    let (bench, cutter) = (bench, cutter)
    let unknown = SharedNumber(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          let key = CollectionKey(client: name("c\(number)"), name: name("inbox"))
          let idempotency = IdempotencyKey(
            text: "k", fingerprint: ContentHash(high: 1, low: UInt64(number)))
          let request = WriteRequest(.put(body: Array("[]".utf8)), key: idempotency)
          if number % 6 == 0 { cutter.cutNext(number % 12 == 0 ? .before : .after) }
          while true {
            do {
              #expect(try await bench.write(request, key).version.seq == 1)
              return
            } catch let failure as ServiceFailure {
              guard case .outcomeUnknown = failure.error else { throw failure }
              unknown.value += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(unknown.value > 0)
    #expect(try direct.sql("SELECT count(*), max(revision) FROM livedelta.collection") == ["60|1"])
    #expect(try direct.sql("SELECT count(*) FROM livedelta.request") == ["60"])
  }
}
