import Glibc
import HTTP1
import SocketServer
import TestSupport
import Testing

struct LimitTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test func `a connection over the limit of its address is turned away with 503`() throws {
    var limits = ServerLimits()
    limits.connectionsPerAddressMax = 2
    try withServer(limits: limits, handler: echo) { _, address in
      var clients = try (0..<2).map { _ in try RawClient(address) }
      for client in clients {
        client.send(Self.get)
        #expect(try client.response().status == 200)
      }
      #expect(try RawClient(address).response().status == 503)
      // Room is there again when one is gone.
      clients.removeLast().finishSending()
      var status = 503
      while status == 503 {
        let client = try RawClient(address)
        client.send(Self.get)
        status = try client.response().status
      }
      #expect(status == 200)
    }
  }

  @Test func `while handlers are behind few connections are accepted in a millisecond`() throws {
    let (clock, haveCome) = (ManualClock(), Signal())
    let isBusy: @Sendable () -> Bool = {
      defer { haveCome.send() }
      return haveCome.wait()
    }
    try withServer(clock: clock.serverClock, loops: 1, isBusy: isBusy, handler: echo) {
      let address = $1
      let clients = try (0..<10).map { _ in try RawClient(address) }
      haveCome.send()
      for count in [4, 8, 10] {
        // What the loop does for the first one comes after what it accepts.
        for _ in 0..<2 {
          clients[0].send(Self.get)
          #expect(try clients[0].response().status == 200)
        }
        #expect($0.connectionCount == count)
        clock.advance(by: .milliseconds(1))
      }
    }
  }

  @Test func `bodies over the room for all of them get 503, requests without one are served`()
    throws
  {
    var limits = ServerLimits()
    limits.bufferedBytesMax = 100_000
    try withServer(limits: limits, loops: 1, handler: echo) { _, address in
      let head = "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n"
      let greedy = try RawClient(address)
      greedy.send(head)
      greedy.send([UInt8](repeating: 0x61, count: 200_000))
      let answer = try greedy.response()
      #expect(answer.status == 503)
      #expect(answer.text.contains("\"code\":\"overloaded\""))
      #expect(answer["retry-after"] == "1")
      let modest = try RawClient(address)
      modest.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + Self.get)
      #expect(try modest.response().text == "PUT / abc")
      #expect(try modest.response().status == 200)
    }
  }

  @Test func `a thousand stalled connections do not slow the others`() async {
    // In a process of its own: both ends of each are descriptors, and other tests need some.
    await #expect(processExitsWith: .success) {
      allowDescriptors(4096)
      try withServer(handler: echo) { server, address in
        let stalls = ["", "GET / HT", "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab"]
        var stalled: [RawClient] = []
        for index in 0..<1000 {
          let client = try RawClient(address)
          client.send(stalls[index % stalls.count])
          stalled.append(client)
        }
        let client = try RawClient(address)
        for _ in 0..<100 {
          client.send(LimitTests.get)
          #expect(try client.response().status == 200)
        }
        #expect(server.connectionCount == 1001)
        withExtendedLifetime(stalled) {}
      }
    }
  }

  @Test func `pipelined requests beyond a turn's share are all answered`() throws {
    var limits = ServerLimits()
    limits.pipelineDepthMax = 3
    try withServer(limits: limits, loops: 1, handler: echo) { _, address in
      let clients = try (0..<3).map { _ in try RawClient(address) }
      for client in clients {
        client.send((0..<100).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
      }
      for client in clients {
        for index in 0..<100 { #expect(try client.response().text == "GET /\(index) ") }
      }
    }
  }

  @Test func `answers that a client does not take hold back its next requests`() throws {
    let body = [UInt8](repeating: 0x61, count: 1 << 20)
    let counter = Counter()
    try withServer(handler: { _, responder in
      counter.add()
      responder.send(HTTPResponse(status: 200, body: .bytes(body)))
    }) { _, address in
      let client = try RawClient(address)
      client.send(String(repeating: Self.get, count: 100))
      #expect(client.isReadable(milliseconds: 20_000))
      let before = counter.value
      #expect(before < 100)
      for _ in 0..<100 { #expect(try client.response().body.count == body.count) }
      #expect(counter.value == 100)
    }
  }
}
