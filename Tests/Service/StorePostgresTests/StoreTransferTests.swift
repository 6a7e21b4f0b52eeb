import CollectionService
import DeltaEngine
import Foundation
import StorePostgres
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Random stores, copied to the other kind: the target is what the source was, and the source as it was.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct StoreTransferTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  /// Limits that keep more than a copy with the default settings would.
  private static let limits: ServiceLimits = {
    var limits = ServiceLimits()
    limits.idempotencySeconds = 30 * 86_400
    limits.unusedSecondsMax = 400 * 86_400
    limits.retention.bytesMin = 1 << 12
    limits.retention.seconds = 60 * 86_400
    return limits
  }()

  /// What was done with a store.
  private struct Story {
    var keys: [CollectionKey] = []
    var versions: [CollectionKey: [VersionToken]] = [:]
    var requests: [(key: CollectionKey, request: WriteRequest, version: VersionToken)] = []
  }

  private func fill(
    _ bench: ServiceBench, _ random: inout SeededGenerator
  ) async throws -> Story {
    var story = Story()
    for client in ["a", "b~", "c.d"] {
      for list in ["inbox", "cart", "x"] {
        story.keys.append(CollectionKey(client: name(client), name: name(list)))
      }
    }
    for step in 0..<120 {
      let key = story.keys[Int.random(in: 0..<story.keys.count, using: &random)]
      bench.date.value += Int.random(in: 0...3600, using: &random)
      let request: WriteRequest
      switch Int.random(in: 0..<10, using: &random) {
      case 0: request = WriteRequest(.delete)
      case 1: request = WriteRequest(.settings(body: settings(&random), isPatch: true))
      case 2...4: request = WriteRequest(.edit(body: RandomBody.edit(step, &random)))
      default:
        request = WriteRequest(
          .put(body: RandomBody.snapshot(&random)),
          key: IdempotencyKey(
            text: "k\(step)", fingerprint: ContentHash(high: 1, low: UInt64(step))))
      }
      // What does not exist cannot be deleted or edited.
      guard let receipt = try? await bench.write(request, key) else { continue }
      if receipt.isDeleted {
        story.versions[key] = nil
      } else {
        story.versions[key, default: []].append(receipt.version)
      }
      if request.key != nil { story.requests.append((key, request, receipt.version)) }
    }
    return story
  }

  private func settings(_ random: inout SeededGenerator) -> [UInt8] {
    let all = [
      #"{"sortBy":[{"path":"/at","type":"number"}]}"#, #"{"sortBy":null}"#,
      #"{"equality":{"ignore":["/v"]}}"#, #"{"equality":null}"#,
      #"{"retention":{"versions":5}}"#, #"{"animations":{"a":1}}"#,
    ]
    return Array((all.randomElement(using: &random) ?? all[0]).utf8)
  }

  /// Compares all that two services answer.
  private func compare(
    _ source: ServiceBench, _ target: ServiceBench, _ story: Story,
    _ random: inout SeededGenerator
  ) async throws {
    let restriction = try ViewRestriction([("where", "/n:exists")])
    for key in story.keys {
      var told: [[String]] = []
      for bench in [source, target] {
        var answers = [await settings(of: key, bench)]
        answers += (try? await bench.versions(key).map { "\($0)" }) ?? []
        // The secret of the lineage goes with it.
        let restricted = ReadRequest(.restricted(restriction), since: nil, form: .plain)
        let shown = try? await bench.read(restricted, key).heldVersion
        answers.append("\(shown as Any)")
        for version in [nil] + (story.versions[key] ?? []) {
          let request = ReadRequest(.everything, since: version, form: .plain)
          answers.append(await answer { try await bench.read(request, key) })
          guard let version else { continue }
          answers.append(await answer { try await bench.snapshot(at: version, key) })
        }
        told.append(answers)
      }
      #expect(told[1] == told[0], "\(key)")
    }
    for (key, request, version) in story.requests {
      for bench in [source, target] {
        let again = try await bench.write(request, key)
        #expect(again.isReplayed && again.version == version, "\(key) \(request.key as Any)")
      }
    }
    // What is written next has the same version on both.
    for key in story.keys where story.versions[key] != nil {
      let body = RandomBody.snapshot(&random)
      let one = try await source.write(WriteRequest(.put(body: body)), key)
      #expect(try await target.write(WriteRequest(.put(body: body)), key).version == one.version)
    }
  }

  private func answer(_ read: () async throws -> ReadAnswer) async -> String {
    do {
      return try await read().text
    } catch {
      return "\((error as? ServiceFailure)?.error as Any)"
    }
  }

  private func settings(of key: CollectionKey, _ bench: ServiceBench) async -> String {
    await withCheckedContinuation { continuation in
      bench.service.settings(of: key, .everything) { result in
        if case .success(let (settings, version)) = result {
          continuation.resume(returning: "\(version) \(settings.tag)")
        } else {
          continuation.resume(returning: "none")
        }
      }
    }
  }

  /// Records that collections were used long ago.
  private func use(_ keys: [CollectionKey], _ store: any CollectionStore, _ date: Int) async {
    let isRecorded = await completion {
      store.record(uses: keys, date: Int64(date - 100 * 86_400), completion: $0)
    }
    #expect(isRecorded)
  }

  private func rows(_ bench: PostgresBench) throws -> [String] {
    try ["collection", "image", "change", "deletion", "request", "last_use", "feed"]
      .flatMap {
        try bench.sql(
          "SELECT '\($0)', count(*), md5(string_agg(t::text, ';' ORDER BY t::text)) FROM livedelta.\($0) AS t"
        )
      }
  }

  private func copy(_ source: any CollectionStore, _ target: any CollectionStore) async throws {
    let report = try await copied(source, to: target)
    #expect(report.damaged.isEmpty && report.shortened.isEmpty && report.present == 0)
    let again = try await copied(source, to: target)
    #expect(again.copied == 0 && again.present == report.copied)
  }

  @Test(arguments: 1...6)
  func `a directory is copied to a database as it is, and stays as it was`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let source = try StoreBench(limits: Self.limits, seed: seed) {
      $0.partBytesMax = 40
      $0.changeBytesMin = 200
    }
    let target = try PostgresBench(server, limits: Self.limits)
    let story = try await fill(source.bench, &random)
    await use(story.keys, source.store, source.bench.date.value)
    source.bench.date.value += 5 * 86_400
    target.bench.date.value = source.bench.date.value
    try await source.untilCleared()
    source.store.close()
    #expect(try source.count("last_use") > 0)
    let bytes = try Data(contentsOf: URL(filePath: source.database))
    let lock = try Data(contentsOf: URL(filePath: source.directory + "/lock"))
    target.store.close()
    let (from, to) = (
      try source.storeForCopy(isSource: true), try target.storeForCopy(isSource: false)
    )
    try await copy(from, to)
    from.close()
    to.close()
    #expect(try Data(contentsOf: URL(filePath: source.database)) == bytes)
    #expect(try Data(contentsOf: URL(filePath: source.directory + "/lock")) == lock)
    try source.open()
    try target.restart()
    target.bench.date.value = source.bench.date.value
    try await compare(source.bench, target.bench, story, &random)
    #expect(source.faults.faults.isEmpty && target.faults.faults.isEmpty)
  }

  @Test(arguments: 1...6)
  func `a database is copied to a directory as it is, and stays as it was`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let source = try PostgresBench(server, limits: Self.limits) {
      $0 = PostgresOptions(Self.limits)
      $0.date = { 1_750_000_000 }
      $0.changesMax = 8
      $0.changeBytesMin = 100
    }
    let target = try StoreBench(limits: Self.limits, seed: seed)
    let story = try await fill(source.bench, &random)
    await use(story.keys, source.store, source.bench.date.value)
    source.bench.date.value += 5 * 86_400
    target.bench.date.value = source.bench.date.value
    source.store.close()
    // Work in the background ends with its connection.
    try await until {
      try source.sql(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """) == ["0"]
    }
    let before = try rows(source)
    target.store.close()
    let (from, to) = (
      try source.storeForCopy(isSource: true), try target.storeForCopy(isSource: false)
    )
    try await copy(from, to)
    from.close()
    to.close()
    #expect(try rows(source) == before)
    try target.open()
    #expect(try StoreVerifier.verify(directory: target.directory).faults.isEmpty)
    let date = source.bench.date.value
    try source.restart()
    source.bench.date.value = date
    try await compare(source.bench, target.bench, story, &random)
    #expect(target.faults.faults.isEmpty, "\(target.faults.faults)")
  }

  @Test func `a source refuses to be written, by itself and by the database`() async throws {
    let directory = try StoreBench()
    _ = try await directory.bench.put("[]")
    directory.store.close()
    let database = try PostgresBench(server)
    _ = try await database.bench.put("[]")
    database.store.close()
    let stores: [any CollectionStore] = [
      try directory.storeForCopy(isSource: true), try database.storeForCopy(isSource: true),
    ]
    for store in stores {
      let bench = ServiceBench(store: store)
      #expect(try await bench.delta(since: nil).text == ":")
      let refusal = await refusal { try await bench.put(#"[{"id":1}]"#) }
      guard case .storeUnavailable? = refusal?.error else {
        Issue.record("\(refusal as Any)")
        continue
      }
      let isRecorded = await withCheckedContinuation { continuation in
        store.record(uses: [bench.key], date: 1) { continuation.resume(returning: $0) }
      }
      #expect(!isRecorded)
    }
  }
}
