import CollectionService
import DeltaHTTP
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaURLSession
import Synchronization
import TestSupport
import Testing
import VersionedCollections

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import Foundation
#endif

/// What a transport must do, each rule against a real server and over each transport.
@Suite(.timeLimit(.minutes(10))) struct TransportTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  @Test(arguments: TransportKind.allCases)
  func `a poll is answered with a snapshot, no news, or a delta`(kind: TransportKind) async throws {
    try await TestServer.run { server in
      let client = kind.client(server)
      let first = try await server.put(#"[{"id":"a","n":1}]"#)
      guard case .snapshot(let snapshot) = try await client.delta(of: inbox, since: nil).value,
        case .unchanged = try await client.delta(of: inbox, since: first).value
      else {
        Issue.record("neither a snapshot nor no news")
        return
      }
      #expect(snapshot.sections.map { $0.items.map(\.id) } == [["a"]])
      let second = try await server.put(#"[{"id":"b"},{"id":"a","n":1}]"#)
      guard case .delta(let delta) = try await client.delta(of: inbox, since: first).value else {
        Issue.record("no delta")
        return
      }
      #expect(delta.to == second)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a long poll ends with the write that it waits for`(kind: TransportKind) async throws {
    try await TestServer.run { server in
      let version = try await server.put("[]")
      let client = kind.client(server)
      async let answer = client.delta(of: inbox, since: version, wait: 55).value
      try await server.untilParked()
      _ = try await server.put(#"[{"id":"a"}]"#)
      guard case .delta = try await answer else {
        Issue.record("no delta")
        return
      }
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `cancelling ends a long poll, for the server too`(kind: TransportKind) async throws {
    // The clock stands still, so that the poll does not end by itself.
    try await TestServer.run({ $0.time = TimeSource(ManualClock()) }) { server in
      let version = try await server.put("[]")
      let client = kind.client(server)
      let waiting = Task { try await client.delta(of: inbox, since: version, wait: 55) }
      try await server.untilParked()
      waiting.cancel()
      await #expect(throws: ClientError.cancelled) { try await waiting.value }
      try await server.untilParked(0)
      #expect(try await client.snapshot(of: inbox).value.version == version)
    }
  }

  @Test func `a session has the configuration that an app gives`() async throws {
    let peer = try ScriptedPeer([.init(body: "{}")])
    let configuration = URLSessionTransport.configuration
    configuration.httpAdditionalHeaders = ["X-App": "movies"]
    let transport = URLSessionTransport(configuration: configuration)
    let client = DeltaClient(try ServerAddress(peer.address), transport: transport)
    _ = try await client.request("GET", "/v1/")
    #expect(peer.requests.first?.lowercased().contains("\r\nx-app: movies\r\n") == true)
  }

  @Test(arguments: TransportKind.allCases)
  func `a cancelled task sends nothing`(kind: TransportKind) async throws {
    try await TestServer.run { server in
      let client = kind.client(server)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.put(Array("[]".utf8), to: inbox)
      }
      await #expect(throws: ClientError.cancelled) { try await task.value }
      let answer = try await server.send("GET", TestServer.inbox)
      #expect(answer.status == 404)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream brings each change, and ends with the task`(kind: TransportKind) async throws {
    try await TestServer.run { server in
      let text = String(repeating: "compressible ", count: 200)
      _ = try await server.put(#"[{"id":"a","text":"\#(text)"}]"#)
      let client = kind.client(server)
      let (seen, more) = AsyncStream<String>.makeStream()
      let reading = Task {
        for try await event in client.events(inbox.path + "/delta") where event.name != "ping" {
          more.yield("\(event.name) \(event.id ?? "") \(event.data.contains(text))")
        }
        more.finish()
      }
      var events = seen.makeAsyncIterator()
      let first = await events.next()
      #expect(first?.hasPrefix("snapshot ") == true)
      for number in 1...3 {
        let version = try await server.put(#"[{"id":"a","text":"\#(text)\#(number)"}]"#)
        let event = await events.next()
        #expect(event == "delta \(version) true")
      }
      reading.cancel()
      try await server.untilParked(0)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream tells that there is no collection, and then that there is`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      var events = kind.client(server).events(inbox.path + "/delta").makeAsyncIterator()
      let problem = try await events.next()
      #expect(problem?.name == "problem")
      #expect(problem?.retryMilliseconds == 15_000)
      _ = try await server.put("[]")
      let snapshot = try await events.next()
      #expect(snapshot?.name == "snapshot")
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a server that stops ends its streams with a reason`(kind: TransportKind) async throws {
    try await TestServer.run({
      $0.drainDelay = .zero
      $0.drainWindow = .zero
    }) { server in
      _ = try await server.put("[]")
      var events = kind.client(server).events(inbox.path + "/delta").makeAsyncIterator()
      let snapshot = try await events.next()
      #expect(snapshot?.name == "snapshot")
      let operations = TransportKind.curl.client(at: server.operations)
      _ = try await server.send("POST", "/drain", on: operations)
      let end = try await events.next()
      #expect(end?.name == "end")
      #expect(end?.data.contains("drain") == true)
      let last = try await events.next()
      #expect(last == nil)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a large answer comes compressed and whole, in bytes counted on the wire`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let items = (0..<5000).map { #"{"id":"item \#($0)","title":"The same title again"}"# }
      _ = try await server.put("[\(items.joined(separator: ","))]")
      let relay = try CountingRelay(toPort: server.port)
      defer { relay.stop() }
      let reply = try await kind.client(at: ServerAddress(relay.address)).snapshot(of: inbox)
      #expect(reply.value.itemCount == 5000)
      #expect(reply.answer.body.count > 200_000)
      #expect(relay.byteCount < reply.answer.body.count / 5)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream comes compressed, each event at once`(kind: TransportKind) async throws {
    try await TestServer.run { server in
      let relay = try CountingRelay(toPort: server.port)
      defer { relay.stop() }
      let client = kind.client(at: try ServerAddress(relay.address))
      let text = String(repeating: "compressible ", count: 500)
      _ = try await server.put(#"[{"id":"a","text":"\#(text)"}]"#)
      var events = client.events(inbox.path + "/delta").makeAsyncIterator()
      var byteCount = 0
      for number in 1...10 {
        var event = try await events.next()
        while event?.name == "ping" { event = try await events.next() }
        byteCount += event?.data.utf8.count ?? 0
        _ = try await server.put(#"[{"id":"a","text":"\#(text)\#(number)"}]"#)
      }
      #expect(byteCount > 60_000)
      #expect(relay.byteCount < byteCount / 5)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a refused credential is replaced once, and the request repeated`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run(Keys.configure) { server in
      let writer = TransportKind.curl.client(server) { _ in "writesInbox" }
      try await writer.put(Array("[]".utf8), to: inbox)
      let asked = Mutex<[String?]>([])
      let client = kind.client(server) { refused in
        asked.withLock { $0.append(refused) }
        return refused == nil ? "expired" : "readsInbox"
      }
      _ = try await client.snapshot(of: inbox)
      var events = client.events(inbox.path + "/delta").makeAsyncIterator()
      let snapshot = try await events.next()
      #expect(snapshot?.name == "snapshot")
      let questions = asked.withLock { $0 }
      #expect(questions == [nil, "expired", nil, "expired"])
      let hopeless = kind.client(server) { _ in "expired" }
      let error = await #expect(throws: ClientError.self) { try await hopeless.snapshot(of: inbox) }
      guard case .problem(let problem) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(problem.code == "token-expired")
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `writes, deletions and refusals are told as the service tells them`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let client = kind.client(server)
      let reply = try await client.put(Array(#"[{"id":1}]"#.utf8), to: inbox)
      #expect(reply.value.created)
      #expect(try await client.request("HEAD", inbox.path).body.isEmpty)
      let conflict = try await client.request(
        "PUT", inbox.path,
        fields: [
          HeaderField("Content-Type", "application/json"), HeaderField("If-Match", "\"k.1.x\""),
        ], body: Array("[]".utf8))
      #expect(conflict.status == 412)
      try await client.delete(inbox)
      let error = await #expect(throws: ClientError.self) { try await client.snapshot(of: inbox) }
      guard case .problem(let problem) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(problem.code == "collection-not-found")
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `an answer over the limit, and one that is late, are refused`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let version = try await server.put(#"[{"id":"a"}]"#)
      var limits = DeltaClient.Limits()
      limits.bodyBytesMax = 10
      await #expect(throws: ClientError.answerTooLarge(limit: 10)) {
        try await kind.client(server, limits: limits).snapshot(of: inbox)
      }
      limits = DeltaClient.Limits()
      limits.answerMilliseconds = 20
      let client = kind.client(server, limits: limits)
      let error = await #expect(throws: ClientError.self) {
        try await client.request("GET", "\(inbox.path)/delta?since=\(version)&wait=55")
      }
      guard case .timedOut = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `no listener is a transport error`(kind: TransportKind) async throws {
    // Nobody is given port 1; that of a server which has gone may belong to another test's server by now.
    let nobody = try ServerAddress("127.0.0.1:1")
    let error = await #expect(throws: ClientError.self) {
      try await kind.client(at: nobody).snapshot(of: inbox)
    }
    guard case .transport = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream about several collections says of each what is held then`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let (inbox, path) = (try await server.put("[]"), "/v1/clients/u42")
      var events = kind.client(server).events("\(path)/sync?collections=inbox:,cart:")
        .makeAsyncIterator()
      var event = try await events.next()
      #expect(event?.id == "inbox:\(inbox)")
      let cart = try await server.put("[]", to: path + "/collections/cart")
      event = try await events.next()
      #expect(event?.name == "sync")
      #expect(event?.id == "inbox:\(inbox),cart:\(cart)")
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `several collections are asked about at once`(kind: TransportKind) async throws {
    try await TestServer.run { server in
      let client = kind.client(server)
      let version = try await server.put("[]")
      _ = try await server.put("[]", to: "/v1/clients/u42/collections/cart")
      let answer = try await client.sync("u42", holding: ["inbox": version, "cart": nil]).value
      #expect(answer.unchanged == ["inbox"])
      guard case .snapshot = answer.collections["cart"] else {
        Issue.record("\(answer)")
        return
      }
    }
  }
}
