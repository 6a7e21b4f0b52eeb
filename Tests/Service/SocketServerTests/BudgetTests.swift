import HTTP1
import SocketServer
import TestSupport
import Testing

/// What is held for all requests together, and who gives way when it is too much.
struct BudgetTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  private static let large = 400_000

  private static func head(_ count: Int, method: String = "PUT", path: String = "/") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n"
  }

  /// Answers `/big` with one buffer for all who ask, anything else with what was asked.
  private static func answering(_ body: [UInt8]) -> Handler {
    { request, responder in
      guard request.path.elementsEqual("/big".utf8) else { return echo(request, responder) }
      responder.send(HTTPResponse(status: 200, body: .bytes(body)))
    }
  }

  /// A server of one event loop with a budget of a million bytes, whose time stands still; and one more
  /// client, whose answer tells that the loop has seen what was sent before.
  private func bench(
    clock: ManualClock = ManualClock(), bytesMax: Int = 1_000_000,
    handler: @escaping Handler = echo,
    test: (BufferBudget, BoundAddress, RawClient) throws -> Void
  ) throws {
    let listener = Listener(address: .tcp(host: "127.0.0.1", port: 0), handler: handler)
    var configuration = ServerConfiguration(listeners: [listener])
    let budget = BufferBudget(bytesMax: bytesMax)
    configuration.budget = budget
    configuration.clock = clock.serverClock
    configuration.loops = 1
    let server = ConnectionServer(configuration)
    let address = try #require(try server.start().first)
    defer { server.stop() }
    try test(budget, address, try RawClient(address))
  }

  private func settle(_ companion: RawClient) throws {
    for _ in 0..<2 {
      companion.send(Self.get)
      _ = try companion.response()
    }
  }

  private func untilHeld(_ budget: BufferBudget, atLeast count: Int, _ companion: RawClient) throws
  {
    while budget.heldBytes < count { try settle(companion) }
  }

  @Test func `a body counts until its request is answered, whether or not its sender is there`()
    throws
  {
    let parked = Parked()
    try bench(handler: { request, responder in
      guard request.method == .put else { return echo(request, responder) }
      parked.park(responder)
    }) { budget, address, companion in
      var client: RawClient? = try RawClient(address)
      client?.send(Self.head(Self.large))
      client?.send([UInt8](repeating: 0x61, count: Self.large))
      var responder: Responder? = parked.take()
      #expect(budget.heldBytes >= Self.large)
      client?.resetOnClose()
      client = nil
      try settle(companion)
      #expect(budget.heldBytes >= Self.large)
      responder?.send(HTTPResponse(status: 204))
      responder = nil
      while budget.heldBytes >= Self.large { try settle(companion) }
    }
  }

  @Test func `nothing is counted any more when its connections are gone`() throws {
    let parked = Parked()
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    try bench(
      bytesMax: 100 << 20,
      handler: { request, responder in
        switch request.target.last {
        case UInt8(ascii: "p"): parked.park(responder)
        case UInt8(ascii: "b"): responder.send(HTTPResponse(status: 200, body: .bytes(body)))
        case UInt8(ascii: "s"): responder.stream(HTTPResponse(status: 200)).write(body)
        default: echo(request, responder)
        }
      }
    ) { budget, address, companion in
      var clients = try ["GET /p", "GET /b", "GET /s", "PUT /x", "GET /y"].map { line in
        let client = try RawClient(address)
        client.send("\(line) HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n")
        client.send([UInt8](repeating: 0x61, count: line == "GET /y" ? 3 : 500_000))
        return client
      }
      try untilHeld(budget, atLeast: 16 << 20, companion)
      for client in clients { client.resetOnClose() }
      _ = parked.take()
      clients = []
      while budget.heldBytes > 0 { try settle(companion) }
    }
  }

  @Test func `a body that does not fit gets 503 by its length, a small one is served`() throws {
    let parked = Parked()
    try bench(handler: { request, responder in
      guard request.method == .put, request.body.count > 1000 else {
        return echo(request, responder)
      }
      parked.park(responder)
    }) { budget, address, companion in
      let clients = try (0..<2).map { _ in try RawClient(address) }
      for client in clients {
        client.send(Self.head(Self.large))
        client.send([UInt8](repeating: 0x61, count: Self.large))
      }
      let responders = clients.map { _ in parked.take() }
      let newcomer = try RawClient(address)
      newcomer.send(Self.head(Self.large))
      let answer = try newcomer.response()
      #expect(answer.status == 503)
      #expect(answer.text.contains(#""code":"overloaded""#))
      #expect(answer["retry-after"] == "1")
      companion.send(Self.head(3) + "abc")
      #expect(try companion.response().text == "PUT / abc")
      for responder in responders { responder.send(HTTPResponse(status: 204)) }
      for client in clients { #expect(try client.response().status == 204) }
    }
  }

  @Test func `when the room is full, the largest body that stalls gives way to one that comes`()
    throws
  {
    let clock = ManualClock()
    try bench(clock: clock, handler: { $1.send(HTTPResponse(status: 204)) }) {
      budget, address, companion in
      let stalled = try (0..<2).map { _ in try RawClient(address) }
      for (client, count) in zip(stalled, [300_000, 400_000]) {
        client.send(Self.head(450_000))
        client.send([UInt8](repeating: 0x61, count: count))
      }
      try untilHeld(budget, atLeast: 700_000, companion)
      clock.advance(by: .seconds(3))
      try settle(companion)
      let newcomer = try RawClient(address)
      newcomer.send(Self.head(Self.large))
      newcomer.send([UInt8](repeating: 0x61, count: Self.large))
      #expect(try newcomer.response().status == 204)
      #expect(try stalled[1].response().status == 503)
      #expect(!stalled[0].isReadable(milliseconds: 0))
    }
  }

  @Test func `a body that comes does not give way`() throws {
    let clock = ManualClock()
    try bench(clock: clock, handler: { $1.send(HTTPResponse(status: 204)) }) {
      budget, address, companion in
      let busy = try (0..<2).map { _ in try RawClient(address) }
      for client in busy {
        client.send(Self.head(410_000))
        client.send([UInt8](repeating: 0x61, count: 350_000))
      }
      try untilHeld(budget, atLeast: 700_000, companion)
      clock.advance(by: .seconds(3))
      for client in busy { client.send([UInt8](repeating: 0x61, count: 50_000)) }
      try untilHeld(budget, atLeast: 800_000, companion)
      let newcomer = try RawClient(address)
      newcomer.send(Self.head(Self.large))
      #expect(try newcomer.response().status == 503)
      for client in busy {
        client.send([UInt8](repeating: 0x61, count: 10_000))
        #expect(try client.response().status == 204)
      }
    }
  }

  @Test func `what is pipelined behind a request that waits stays in the kernel`() throws {
    let parked = Parked()
    try bench(handler: { request, responder in
      guard request.path.elementsEqual("/park".utf8) else { return echo(request, responder) }
      parked.park(responder)
    }) { budget, address, companion in
      let clients = try (0..<10).map { _ in try RawClient(address) }
      let ahead = String(repeating: Self.get, count: 5000)
      for client in clients { client.send("GET /park HTTP/1.1\r\nHost: h\r\n\r\n" + ahead) }
      let responders = clients.map { _ in parked.take() }
      try settle(companion)
      #expect(budget.heldBytes < clients.count * 17_000)
      for responder in responders { responder.send(HTTPResponse(status: 204)) }
      for client in clients {
        #expect(try client.response().status == 204)
        for _ in 0..<5000 { #expect(try client.response().status == 200) }
      }
    }
  }

  @Test func `pipelined requests give way when the room is full, and the first is answered`() throws
  {
    let parked = Parked()
    try bench(
      bytesMax: 200_000,
      handler: { request, responder in
        guard request.path.elementsEqual("/park".utf8) else { return echo(request, responder) }
        parked.park(responder)
      }
    ) { budget, address, companion in
      let clients = try (0..<20).map { _ in try RawClient(address) }
      let ahead = String(repeating: Self.get, count: 2000)
      for client in clients { client.send("GET /park HTTP/1.1\r\nHost: h\r\n\r\n" + ahead) }
      let responders = clients.map { _ in parked.take() }
      companion.send(Self.head(50_000))
      companion.send([UInt8](repeating: 0x61, count: 50_000))
      #expect(try companion.response().status == 200)
      #expect(budget.heldBytes <= 200_000)
      for responder in responders { responder.send(HTTPResponse(status: 204)) }
      for client in clients { #expect(try client.response().status == 204) }
    }
  }

  @Test func `one buffer that waits for many readers counts once`() throws {
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    try bench(
      bytesMax: 40 << 20, handler: Self.answering(body)
    ) { budget, address, companion in
      let clients = try (0..<5).map { _ in try RawClient(address) }
      for client in clients { client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n") }
      for client in clients { #expect(client.isReadable(milliseconds: 20_000)) }
      try untilHeld(budget, atLeast: 16 << 20, companion)
      #expect(budget.heldBytes < 18 << 20)
      for client in clients { #expect(try client.response().body.count == body.count) }
      while budget.heldBytes > 100_000 { try settle(companion) }
    }
  }

  @Test func `the kernel takes little of an answer that its reader does not take`() throws {
    let body = [UInt8](repeating: 0x61, count: 1 << 20)
    try bench(
      bytesMax: 40 << 20, handler: Self.answering(body)
    ) { budget, address, companion in
      let client = try RawClient(address)
      client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(client.isReadable(milliseconds: 20_000))
      try settle(companion)
      #expect(budget.heldBytes >= body.count)
      #expect(try client.response().body == body)
    }
  }

  @Test func `an answer that does not fit beside those that wait is 503, a small one is sent`()
    throws
  {
    try bench(
      bytesMax: 40 << 20,
      handler: { request, responder in
        guard request.path.elementsEqual("/big".utf8) else { return echo(request, responder) }
        let body = [UInt8](repeating: 0x61, count: 16 << 20)
        responder.send(HTTPResponse(status: 200, body: .bytes(body)))
      }
    ) { budget, address, companion in
      let clients = try (0..<3).map { _ in try RawClient(address) }
      for client in clients.dropLast() {
        client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.isReadable(milliseconds: 20_000))
      }
      try untilHeld(budget, atLeast: 32 << 20, companion)
      clients[2].send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try clients[2].response().status == 503)
      clients[2].send(Self.get)
      #expect(try clients[2].response().status == 200)
      for client in clients.dropLast() {
        #expect(try client.response().body.count == 16 << 20)
      }
    }
  }

  @Test func `a reader that takes nothing gives way to an answer that has no room`() throws {
    let clock = ManualClock()
    try bench(
      clock: clock, bytesMax: 40 << 20,
      handler: { request, responder in
        guard request.path.elementsEqual("/big".utf8) else { return echo(request, responder) }
        let body = [UInt8](repeating: 0x61, count: 24 << 20)
        responder.send(HTTPResponse(status: 200, body: .bytes(body)))
      }
    ) { budget, address, companion in
      let idle = try RawClient(address)
      idle.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
      try untilHeld(budget, atLeast: 24 << 20, companion)
      clock.advance(by: .seconds(3))
      try settle(companion)
      let reader = try RawClient(address)
      reader.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try reader.response().body.count == 24 << 20)
      #expect(throws: RawClient.Failure.self) { try idle.response() }
    }
  }
}
