import CollectionService
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// What readers are told of an outage of a store that others write to too.
@Suite(.timeLimit(.minutes(10))) struct OutageTests {
  private func path(_ client: String) -> String { "/v1/clients/\(client)/collections/inbox/delta" }

  private func stale(_ server: TestService, _ client: String) async throws -> String? {
    let answer = try await server.send("GET", path(client) + "?since=\(OutageStore.version)")
    #expect(answer.status == 200, "\(answer.text)")
    return answer["Collection-Stale"]
  }

  @Test(arguments: [StoreOutage.full, .unavailable])
  func `readiness is that of readers, and that of writers is a question of its own`(
    outage: StoreOutage
  ) async throws {
    let store = OutageStore()
    try await TestService.run(store: store) { server in
      let operations = TestClient(server.operations)
      func probe(_ path: String) async throws -> String {
        let answer = try await server.send("GET", path, [:], on: operations)
        return "\(answer.status) \(answer.text)"
      }
      let isReady = #"200 {"status":"ready","writes":"available"}"#
      store.refuseWrites(outage)
      let line = #"{"status":"ready","writes":"unavailable","reason":"\#(outage.rawValue)"}"#
      #expect(try await probe("/readyz") == "200 " + line)
      #expect(try await probe("/readyz/writes") == "503 " + line)
      let metrics = try await probe("/metrics")
      #expect(metrics.contains("\nlivedelta_ready 1\n"))
      #expect(metrics.contains("\nlivedelta_ready_writes 0\n"))
      store.refuseWrites(nil)
      #expect(try await probe("/readyz") == isReady)
      #expect(try await probe("/readyz/writes") == isReady)
      #expect(try await server.send("POST", "/drain", [:], on: operations).status == 202)
      for path in ["/readyz", "/readyz/writes"] {
        #expect(try await probe(path) == #"503 {"status":"draining"}"#)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a wait over an outage is stale until the list of its client was read since`(
    isConfirmed: Bool
  ) async throws {
    let store = OutageStore()
    try await TestService.run(store: store) { server in
      let reader = server.reader()
      async let waiting = reader.request(
        "GET", path("a") + "?since=\(OutageStore.version)&wait=50")
      try await server.untilParked()
      store.goAway()
      #expect(try await stale(server, "a") != nil)
      // The service itself asks for the list once a second.
      store.comeBack(withLists: isConfirmed)
      defer { store.answerLists() }
      // Another client reads the store again.
      #expect(try await stale(server, "b") == nil)
      if isConfirmed {
        let before = store.listCount
        store.reportOthers()
        try await until { store.listCount > before }
        _ = server.service.deadlineCount
      }
      server.service.releaseWaiters(over: .zero)
      let answer = try await waiting
      #expect(answer.status == 200 && answer.text.contains(#""kind":"unchanged""#))
      #expect((answer["Collection-Stale"] == nil) == isConfirmed, "\(answer.head)")
    }
  }
}

/// A shared store in which each client has the same collection, and which is away when the test says so.
private final class OutageStore: CollectionStore {
  static let version = VersionToken(lineage: "lineage1", seq: 1, digest: "AAAAAAAAAAAAAAAA")

  private struct State {
    var isAway = false
    var outage: StoreOutage?
    var comeBackDate: ContinuousClock.Instant?
    var listCount = 0
    var holdsLists = false
    var heldLists: [@Sendable () -> Void] = []
    var report: (@Sendable ([ResourceName]?) -> Void)?
  }

  private let state = Mutex(State())
  private let list = [CollectionSummary(name: name("inbox"), version: version, itemCount: 0)]

  var keepsContents: Bool { true }
  var isShared: Bool { true }
  var outage: StoreOutage? { state.withLock(\.outage) }
  var secondsAway: Int? { state.withLock { $0.isAway ? 3 : nil } }
  /// The number of lists that were read.
  var listCount: Int { state.withLock(\.listCount) }

  func refuseWrites(_ outage: StoreOutage?) { state.withLock { $0.outage = outage } }

  func goAway() { state.withLock { $0.isAway = true } }

  /// Is there again; lists that are asked for wait for `answerLists` if they are not.
  func comeBack(withLists: Bool) {
    state.withLock {
      ($0.isAway, $0.comeBackDate, $0.holdsLists) = (false, .now, !withLists)
    }
  }

  func answerLists() {
    let held = state.withLock { state in
      defer { (state.holdsLists, state.heldLists) = (false, []) }
      return state.heldLists
    }
    for answer in held { answer() }
  }

  /// Reports that any client may have been written.
  func reportOthers() { state.withLock(\.report)?(nil) }

  func secondsStale(within duration: Duration) -> Int? {
    if let seconds = secondsAway { return seconds }
    return state.withLock(\.comeBackDate).flatMap { ContinuousClock.now - $0 <= duration ? 3 : nil }
  }

  func commit(_ transaction: StoreTransaction, completion: @escaping StoreCompletion<Void>) {
    completion(.failure(.unavailable("it is read only")))
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    let isAway = secondsAway != nil
    completion(
      parts.map { part in
        if isAway { return .failure(.unavailable("it is away")) }
        return .success(part == .summaries ? .summaries(list) : .unchanged)
      })
  }

  func summaries(
    of clients: [ResourceName],
    completion: @escaping StoreCompletion<[ResourceName: [CollectionSummary]]>
  ) {
    guard secondsAway == nil else { return completion(.failure(.unavailable("it is away"))) }
    let answer = { @Sendable [list] in
      completion(.success(Dictionary(uniqueKeysWithValues: clients.map { ($0, list) })))
    }
    let isHeld = state.withLock { state in
      if state.holdsLists { state.heldLists.append(answer) }
      return state.holdsLists
    }
    if isHeld { return }
    answer()
    state.withLock { $0.listCount += 1 }
  }

  func reportOthers(to report: @escaping @Sendable ([ResourceName]?) -> Void) {
    state.withLock { $0.report = report }
  }
}
