import Authentication
import CollectionService
import DeltaHTTP
import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import StoreSQLite
import Telemetry
import TestSupport
import Testing
import VersionedCollections

/// Changes that are pushed to a receiver.
@Suite(.timeLimit(.minutes(10))) struct WebhookTests {
  private let receiver = WebhookReceiver()

  private func path(_ name: String) -> String { "/v1/clients/u42/collections/\(name)" }

  private func run(
    attemptsMax: Int = 20, store: any CollectionStore = MemoryStore(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let isFirst = receiver.position == nil
    try await TestServer.run(
      {
        $0.webhook = receiver.configuration
        $0.webhookAttemptsMax = attemptsMax
        $0.time = TimeSource(receiver.clock)
      }, store: store
    ) { server in
      try await until { receiver.position != nil }
      if isFirst { receiver.forget() }
      try await body(server)
    }
  }

  /// Lets time pass until something is so.
  private func ticking(until isSo: () -> Bool) async throws {
    try await until {
      receiver.clock.advance(by: .seconds(1))
      return isSo()
    }
  }

  @Test func `each change is pushed, signed and in order, and deletions too`() async throws {
    try await run { server in
      let first = try await server.put("[]", to: path("a"))
      try await ticking { receiver.accepted.count >= 1 }
      _ = try await server.put("[]", to: path("b"))
      try await ticking { receiver.accepted.count >= 2 }
      _ = try await server.send("DELETE", path("a"))
      try await ticking { receiver.accepted.count >= 3 }
      #expect(receiver.accepted.map(\.changes) == [["u42/a"], ["u42/b"], ["-u42/a"]])
      #expect(receiver.accepted[0].versions == [first])
      #expect(receiver.accepted.allSatisfy { $0.body["type"].string == "collections.changed" })
      #expect(Set(receiver.accepted.map(\.id)).count == 3)
    }
  }

  @Test func `a slow receiver holds up no write, and then gets the newest of each, once`()
    async throws
  {
    try await run { server in
      receiver.hold()
      _ = try await server.put("[]", to: path("a"))
      try await ticking { receiver.isHolding }
      var newest = ""
      for number in 1...50 {
        newest = try await server.put("[{\"id\":\(number)}]", to: path("a"))
      }
      let other = try await server.put("[]", to: path("b"))
      receiver.release()
      try await ticking { receiver.accepted.last?.versions.contains(other) == true }
      #expect(receiver.accepted.dropFirst().flatMap(\.versions) == [newest, other])
    }
  }

  @Test func `what fails is sent again, the same and before anything else`() async throws {
    try await run { server in
      receiver.answer([.init(status: 500), nil, .init(status: 302)], then: 200)
      _ = try await server.put("[]", to: path("a"))
      try await ticking { receiver.attempts.count >= 1 }
      _ = try await server.put("[]", to: path("b"))
      try await ticking { receiver.accepted.count >= 2 }
      #expect(Set(receiver.attempts.prefix(4).map(\.id)).count == 1)
      #expect(receiver.accepted.map(\.changes) == [["u42/a"], ["u42/b"]])
      let metrics = try await DeltaClient(server.operations, transport: CurlTransport()).request(
        "GET", "/metrics"
      ).text
      #expect(metrics.contains("livedelta_webhook_failed_attempts_total 3\n"))
      #expect(metrics.contains("livedelta_webhook_dead_letters_total 0\n"))
    }
  }

  @Test func `Retry-After is waited for`() async throws {
    try await run { server in
      receiver.answer([.init(status: 429, retryAfter: .seconds(100))], then: 200)
      _ = try await server.put("[]", to: path("a"))
      try await ticking { receiver.accepted.count >= 1 }
      let dates = receiver.attempts.map(\.date)
      #expect(dates.count == 2 && dates[0].duration(to: dates[1]) >= .seconds(100))
    }
  }

  @Test func `a dead receiver costs its deliveries after so many attempts, each is counted`()
    async throws
  {
    try await run(attemptsMax: 3) { server in
      receiver.answer(then: nil)
      _ = try await server.put("[]", to: path("a"))
      try await ticking { receiver.attempts.count >= 3 }
      let operations = DeltaClient(server.operations, transport: CurlTransport())
      try await until {
        try await operations.request("GET", "/metrics").text.contains(
          "livedelta_webhook_dead_letters_total 1\n")
      }
      receiver.answer(then: 200)
      _ = try await server.put("[]", to: path("b"))
      try await ticking { receiver.accepted.count >= 1 }
      #expect(receiver.accepted.map(\.changes) == [["u42/b"]])
      #expect(
        try await operations.request("GET", "/metrics").text
          .contains("livedelta_faults_total{kind=\"webhook\"} 1\n"))
    }
  }

  @Test func `a position that is not saved is a fault, once for all in a row`() async throws {
    try await run { server in
      let saved = receiver.position
      receiver.saveError = WebhookReceiver.InputFault()
      for count in 1...3 {
        _ = try await server.put(#"[{"id":\#(count)}]"#, to: path("a"))
        try await ticking { receiver.accepted.count >= count }
      }
      let operations = DeltaClient(server.operations, transport: CurlTransport())
      try await until {
        try await operations.request("GET", "/metrics").text
          .contains("livedelta_faults_total{kind=\"webhook\"} 1\n")
      }
      #expect(receiver.position == saved)
      receiver.saveError = nil
      _ = try await server.put("[]", to: path("a"))
      try await until { receiver.position != saved }
    }
  }

  @Test func `a later run goes on from the saved position, and one without a readable one resets`()
    async throws
  {
    let files = try TemporaryFiles()
    var options = StoreOptions()
    options.date = { Int64(time(nil)) }
    let store = try SQLiteStore(directory: files.path + "/data", options: options)
    defer { store.close() }
    try await run(store: store) { server in
      receiver.answer(then: 500)
      _ = try await server.put("[]", to: path("a"))
      try await ticking { receiver.attempts.count >= 2 }
    }
    #expect(receiver.accepted.isEmpty)
    try await TestServer.run(store: store) { _ = try await $0.put("[]", to: path("b")) }
    receiver.answer(then: 200)
    try await run(store: store) { _ in try await ticking { !receiver.accepted.isEmpty } }
    #expect(Set(receiver.accepted.flatMap(\.changes)) == ["u42/a", "u42/b"])
    receiver.forget()
    receiver.position = "?"
    try await run(store: store) { _ in try await ticking { !receiver.accepted.isEmpty } }
    #expect(receiver.accepted.map { $0.body["type"].string } == ["collections.reset"])
  }

  @Test func `many changes are pushed a hundred at a time`() async throws {
    let files = try TemporaryFiles()
    var options = StoreOptions()
    options.date = { Int64(time(nil)) }
    let store = try SQLiteStore(directory: files.path + "/data", options: options)
    defer { store.close() }
    try await TestServer.run(store: store) { server in
      for number in 0..<150 { _ = try await server.put("[]", to: path("c\(number)")) }
    }
    receiver.position = "before.1000000"
    try await run(store: store) { _ in try await ticking { receiver.accepted.count >= 2 } }
    #expect(receiver.accepted.map(\.changes.count) == [100, 50])
    #expect(Set(receiver.accepted.flatMap(\.changes)).count == 150)
    #expect(Set(receiver.accepted.map(\.id)).count == 2)
  }
}
