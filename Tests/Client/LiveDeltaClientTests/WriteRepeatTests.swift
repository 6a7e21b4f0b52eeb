import DeltaEngine
import LiveDeltaAdmin
import LiveDeltaClient
import TestSupport
import Testing

/// Writes whose outcome is not known, and the key that their repetitions share.
@Suite(.timeLimit(.minutes(10))) struct WriteRepeatTests {
  private typealias Script = ScriptedPeer.Script

  private static let inbox = CollectionAddress(client: "u", name: "inbox")
  private static let written = Script(
    body: #"{"version":"l.1.d","seq":1,"changed":true,"results":[]}"#)
  private static let unknown = Script(
    body: #"{"status":503,"code":"outcome-unknown"}"#, status: 503)
  private static let lost = Script(answer: "", closes: true)
  private static let busy = Script(
    answer: "HTTP/1.1 503 X\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n")

  @Test(arguments: TransportKind.allCases)
  func `a write whose outcome is unknown is repeated with its key`(kind: TransportKind) async throws
  {
    let pauses = PauseLog()
    let peer = try ScriptedPeer { [Self.lost, Self.unknown, Self.busy][safe: $0] ?? Self.written }
    let reply = try await kind.client(peer, pauses).put([], to: Self.inbox)
    #expect(reply.value.version == "l.1.d")
    #expect(peer.requests.count == 4)
    #expect(Set(peer.requests.map(\.key)).count == 1)
    #expect(pauses.pauses == [.milliseconds(250), .milliseconds(500), .seconds(3)])
  }

  @Test(arguments: TransportKind.allCases)
  func `each kind of write has a key of its own, or the one it is given`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer { _ in Self.written }
    let client = try kind.client(peer, PauseLog())
    try await client.put([], to: Self.inbox)
    _ = try await client.patch(Self.inbox, [])
    try await client.revert(Self.inbox, to: "l.1.d")
    _ = try await client.batch(of: "u", [])
    _ = try await client.set(Self.inbox, settings: [], isWhole: true)
    try await client.delete(Self.inbox)
    #expect(Set(peer.requests.compactMap(\.key)).count == 6)
    try await client.put([], to: Self.inbox, fields: [HeaderField("idempotency-key", "mine")])
    #expect(peer.requests.last?.key == "mine")
  }

  @Test func `the deletion of a client, which has no key, is not repeated`() async throws {
    let peer = try ScriptedPeer { _ in Self.unknown }
    await #expect(throws: ClientError.self) {
      try await TransportKind.curl.client(peer, PauseLog()).delete(client: "u")
    }
    #expect(peer.requests.map(\.key) == [nil])
  }

  @Test func `what remains unknown is told, with the key, after a bounded number of attempts`()
    async throws
  {
    let peer = try ScriptedPeer { _ in Self.unknown }
    let error = await #expect(throws: ClientError.self) {
      try await TransportKind.curl.client(peer, PauseLog()).put([], to: Self.inbox)
    }
    guard case .outcomeUnknown(let key, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(peer.requests.map(\.key) == [String?](repeating: key, count: 5))
  }

  @Test(arguments: [(412, false), (422, false), (401, true), (429, true), (500, true)])
  func `a refusal tells the outcome if it comes after the key`(
    status: Int, staysUnknown: Bool
  ) async throws {
    let refusal = Script(body: #"{"code":"x"}"#, status: status)
    let peer = try ScriptedPeer { $0 == 0 ? Self.unknown : refusal }
    let error = await #expect(throws: ClientError.self) {
      try await TransportKind.curl.client(peer, PauseLog()).put([], to: Self.inbox)
    }
    if case .outcomeUnknown = error {
      #expect(staysUnknown)
    } else {
      #expect(!staysUnknown, "\(String(describing: error))")
    }
    #expect(peer.requests.count == 2)
  }

  @Test func `a deletion that finds nothing was done by the attempt before`() async throws {
    let missing = Script(body: #"{"code":"collection-not-found"}"#, status: 404)
    let twice = try ScriptedPeer { $0 == 0 ? Self.lost : missing }
    try await TransportKind.curl.client(twice, PauseLog()).delete(Self.inbox)
    let never = try TransportKind.curl.client(ScriptedPeer { _ in missing }, PauseLog())
    await #expect(throws: ClientError.self) { try await never.delete(Self.inbox) }
  }

  @Test(arguments: TransportKind.allCases)
  func `where nothing listens nothing is repeated, and nothing unknown`(
    kind: TransportKind
  ) async throws {
    let pauses = PauseLog()
    let peer = try ScriptedPeer { _ in nil }
    peer.stop()
    try await until { await refuses(peer) }
    let error = await #expect(throws: ClientError.self) {
      try await kind.client(peer, pauses).put([], to: Self.inbox)
    }
    guard case .transport = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(pauses.pauses.isEmpty)
  }

  @Test func `no attempt begins after the time of one answer`() async throws {
    let patient = Script(
      answer: "HTTP/1.1 503 X\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n")
    let pauses = PauseLog()
    let peer = try ScriptedPeer { _ in patient }
    await #expect(throws: ClientError.self) {
      try await TransportKind.curl.client(peer, pauses).put([], to: Self.inbox)
    }
    #expect(pauses.pauses == [.seconds(20)])
    #expect(peer.requests.count == 2)
  }

  private func refuses(_ peer: ScriptedPeer) async -> Bool {
    do {
      _ = try await TransportKind.curl.client(peer, PauseLog()).request("GET", "/")
      return false
    } catch {
      return true
    }
  }
}

extension String {
  /// The `Idempotency-Key` of a request.
  fileprivate var key: String? {
    split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
      .map { $0.split(separator: ":")[1].filter { $0 != " " } }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
