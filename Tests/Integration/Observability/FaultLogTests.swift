import CollectionService
import DeltaEngine
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Logging
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// What goes wrong inside the service stands in its log, and is counted.
@Suite(.timeLimit(.minutes(10))) struct FaultLogTests {
  private let inbox = TestServer.inbox

  @Test func `a store's failure is in the log, with the request that met it`() async throws {
    let log = RecordedLog()
    let store = FailingStore(.unavailable("the disk is on fire\n"))
    try await TestServer.run(store: store, logger: log.logger) { server in
      let answer = try await server.send("PUT", inbox, ["Request-Id": "abc"], #"[{"id":1}]"#)
      #expect(answer.status == 503)
      let line = try #require(log.faults.first)
      #expect(log.faults.count == 1)
      #expect(line.text == "the disk is on fire?")
      #expect(line.metadata["kind"] == "store-unavailable")
      #expect(line.metadata["request"] == "abc")
      #expect(line.metadata["client"]?.description.utf8.count == 16)
      #expect(line.metadata["collection"]?.description.utf8.count == 16)
      let metrics = try await server.send(
        "GET", "/metrics", on: DeltaClient(server.operations, transport: CurlTransport()))
      #expect(metrics.text.contains("livedelta_faults_total{kind=\"store-unavailable\"} 1\n"))
      #expect(metrics.text.contains("livedelta_faults_total{kind=\"image\"} 0\n"))
    }
  }

  @Test func `a write that may have been committed is told as such, and counted`() async throws {
    let log = RecordedLog()
    let store = FailingStore(.unknown("the connection was lost"))
    try await TestServer.run(store: store, logger: log.logger) { server in
      let writes = #"{"writes":[{"collection":"inbox","put":{"items":[]}}]}"#
      for (method, path, body) in [
        ("PUT", inbox, "[]"), ("POST", "/v1/clients/u42/batch", writes),
      ] {
        let answer = try await server.send(method, path, [:], body)
        #expect(answer.status == 503 && answer.json["code"].string == "outcome-unknown")
        #expect(answer["Retry-After"] == "1")
        let detail = try #require(answer.json["detail"].string)
        #expect(detail.contains("may or may not have been committed"))
        #expect(detail.contains("repeat it with the same Idempotency-Key"))
      }
      #expect(log.faults.allSatisfy { $0.metadata["kind"] == "outcome-unknown" })
      let metrics = try await server.send(
        "GET", "/metrics", on: DeltaClient(server.operations, transport: CurlTransport()))
      #expect(metrics.text.contains("livedelta_faults_total{kind=\"outcome-unknown\"} 2\n"))
    }
  }

  @Test func `sizes that the store cannot tell are no sizes, but a fault and a refusal`()
    async throws
  {
    let log = RecordedLog()
    let store = FailingStore(.unavailable("the disk is on fire"), commits: true)
    try await TestServer.run(store: store, logger: log.logger) { server in
      _ = try await server.put(#"[{"id":1}]"#)
      let operations = DeltaClient(server.operations, transport: CurlTransport())
      for path in ["/clients/u42", "/clients"] {
        let answer = try await server.send("GET", path, on: operations)
        #expect(answer.status == 503)
        #expect(answer.json["code"].string == "store-unavailable")
      }
      #expect(log.faults.map(\.text) == ["the disk is on fire", "the disk is on fire"])
    }
  }

  @Test func `the runbook has every kind`() throws {
    let runbook = try String(
      contentsOf: Program.root.appending(path: "docs/runbook.md"), encoding: .utf8)
    for kind in Fault.Kind.allCases {
      #expect(runbook.contains("\n| `\(kind.rawValue)` | "), "\(kind)")
    }
  }

  @Test func `names are written out where that is asked for`() async throws {
    let log = RecordedLog()
    let store = FailingStore(.full("full"))
    try await TestServer.run({ $0.logsHashedNames = false }, store: store, logger: log.logger) {
      server in
      #expect(try await server.send("PUT", inbox, [:], "[]").status == 507)
      let line = try #require(log.faults.first)
      #expect(line.metadata["client"] == "u42")
      #expect(line.metadata["collection"] == "inbox")
    }
  }

  @Test func `a problem that is the service's fault names the request to look for in the log`()
    async throws
  {
    let log = RecordedLog()
    let store = FailingStore(.damaged("the checksum is wrong"))
    try await TestServer.run(store: store, logger: log.logger) { server in
      let put = try await server.send("PUT", inbox, ["Request-Id": "abc"], "[]")
      #expect(put.status == 500)
      #expect(
        put.json["detail"].string?.hasSuffix("; look for request abc in the service's log") == true)
      let made = try await server.send("PUT", inbox, [:], "[]")
      let id = try #require(made["Request-Id"])
      #expect(made.json["detail"].string?.contains("request \(id) in") == true)
      let body = #"{"writes":[{"collection":"inbox","put":{"items":[]}}]}"#
      let batch = try await server.send(
        "POST", "/v1/clients/u42/batch", ["Request-Id": "many"], body)
      #expect(batch.status == 500, "\(batch.text)")
      #expect(batch.json["results"][0]["problem"]["detail"].string?.contains("many") == true)
      #expect(log.faults.map { $0.metadata["request"]?.description } == ["abc", id, "many"])
      #expect(log.faults.allSatisfy { $0.text == "the checksum is wrong" })
    }
  }

  @Test func `a law that the simulator finds broken is in the log`() async throws {
    let log = RecordedLog()
    try await TestServer.run(
      { $0.judge = { _, _, _ in LawViolation(law: 7, step: 2, reason: "says a test") } },
      logger: log.logger
    ) { server in
      let first = try await server.put(#"[{"id":1}]"#)
      let second = try await server.put(#"[{"id":2}]"#)
      let paths = [
        ("GET", "\(inbox)/delta?since=\(first)", nil),
        ("GET", "\(inbox)/delta?from=\(first)&to=\(second)", nil),
        ("POST", "/v1/diff", #"{"old":[],"new":[{"id":1}]}"#),
      ]
      for (index, (method, path, body)) in paths.enumerated() {
        _ = try await server.send(method, path, ["Request-Id": "r\(index)"], body)
      }
      #expect(log.faults.map { $0.metadata["request"]?.description } == ["r0", "r1", "r2"])
      #expect(log.faults.allSatisfy { $0.text == "law 7, step 2: says a test" })
      #expect(log.faults.allSatisfy { $0.metadata["kind"] == "delta-refused" })
    }
  }

  @Test func `of one kind there are ten lines a second, and the next says how many were left out`()
    async throws
  {
    let log = RecordedLog()
    let clock = ManualClock()
    let faults = FaultLog(logger: log.logger, time: TimeSource(clock))
    for _ in 0..<25 { faults.report(Fault(.image, "no image")) }
    faults.report(Fault(.checkpoint, "no checkpoint"))
    #expect(log.faults.count == 11)
    #expect(faults.count(of: .image) == 25)
    clock.advance(by: .seconds(1))
    for _ in 0..<2 { faults.report(Fault(.image, "no image")) }
    #expect(log.faults.map { $0.metadata["suppressed"]?.description }.suffix(2) == ["15", nil])
  }
}

/// A store that fails each write in the same way.
private final class FailingStore: CollectionStore {
  private let error: StoreError
  private let commits: Bool
  private let memory = MemoryStore()

  init(_ error: StoreError, commits: Bool = false) { (self.error, self.commits) = (error, commits) }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    guard commits else { return completion(.failure(error)) }
    memory.commit(transaction, completion: completion)
  }

  func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping @Sendable (Result<[ClientSummary], StoreError>) -> Void
  ) { memory.clients(in: range, after: name, limit: limit, completion: completion) }

  func storedBytes(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[ResourceName: Int], StoreError>) -> Void
  ) { completion(.failure(error)) }
}

/// A log that keeps what it is told.
final class RecordedLog: Sendable {
  struct Line: Sendable {
    var level: Logger.Level
    var text: String
    var metadata: Logger.Metadata
  }

  private let recorded = Mutex<[Line]>([])

  /// The lines so far.
  var lines: [Line] { recorded.withLock { $0 } }
  /// Those of faults.
  var faults: [Line] { lines.filter { $0.metadata["kind"] != nil } }

  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = Line(
        level: event.level, text: event.message.description, metadata: event.metadata ?? [:])
      log.recorded.withLock { $0.append(line) }
    }
  }
}
