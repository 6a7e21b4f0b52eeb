import HTTP1
import Synchronization
import TestSupport
import Testing

@testable import SocketServer

struct ShutdownTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test func `a shutdown closes what is idle and lets what is in flight finish`() throws {
    let parked = Parked()
    let server = ConnectionServer(
      ServerConfiguration(listeners: [
        Listener(address: .tcp(host: "127.0.0.1", port: 0)) { request, responder in
          guard request.path.elementsEqual("/park".utf8) else { return echo(request, responder) }
          parked.park(responder)
        }
      ]))
    let address = try #require(try server.start().first)
    let idle = try RawClient(address)
    idle.send(Self.get)
    #expect(try idle.response().status == 200)
    let waiting = try RawClient(address)
    waiting.send("GET /park HTTP/1.1\r\nHost: h\r\n\r\n")
    let responder = parked.take()
    let half = try RawClient(address)
    half.send("PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(try half.response().status == 100)

    let ended = Signal()
    server.shutdown(within: .seconds(60)) { ended.send() }
    #expect(try idle.rest() == "")
    responder.send(HTTPResponse(status: 204))
    #expect(try waiting.response()["connection"] == "close")
    #expect(try waiting.rest() == "")
    half.send("ab")
    let answer = try half.response()
    #expect(answer.text == "PUT / ab")
    #expect(answer["connection"] == "close")
    #expect(try half.rest() == "")
    #expect(throws: RawClient.Failure.self) { try RawClient(address) }
    #expect(ended.wait())
  }

  @Test func `what is not done by the deadline is broken off`() throws {
    let parked = Parked()
    let gone = Signal()
    let server = ConnectionServer(
      ServerConfiguration(listeners: [
        Listener(address: .tcp(host: "127.0.0.1", port: 0)) { _, responder in
          responder.onHangup { _ in gone.send() }
          parked.park(responder)
        }
      ]))
    let address = try #require(try server.start().first)
    let client = try RawClient(address)
    client.send(Self.get)
    _ = parked.take()
    server.stop()
    #expect(gone.wait())
    #expect(server.connectionCount == 0)
    #expect(try client.rest() == "")
  }

  @Test func `a server that stopped accepting serves whom it has`() throws {
    try withServer(handler: echo) { server, address in
      let client = try RawClient(address)
      client.send(Self.get)
      #expect(try client.response().status == 200)
      server.stopAccepting()
      client.send(Self.get)
      #expect(try client.response()["connection"] == nil)
    }
  }

  @Test func `connections that were established before the listeners closed are served`() throws {
    try withServer(handler: echo) { server, address in
      let clients = Mutex<[RawClient]>([])
      let stopped = Signal()
      // On the loop that accepts, which therefore has not accepted them.
      let loop = server.loops[0]
      loop.mailbox.post(
        .run {
          clients.withLock { $0 = (0..<70).compactMap { _ in try? RawClient(address) } }
          loop.stopAccepting()
          stopped.send()
        })
      #expect(stopped.wait())
      server.drain()
      for client in clients.withLock(\.self) {
        client.send(Self.get)
        let response = try client.response()
        #expect(response["connection"] == "close")
      }
    }
  }

  @Test func `a request that was sent before the end is served, though not yet read`() throws {
    try withServer(loops: 1, handler: echo) { server, address in
      let client = try RawClient(address)
      client.send(Self.get)
      #expect(try client.response().status == 200)
      // On the loop, which therefore has not read it.
      let loop = server.loops[0]
      loop.mailbox.post(
        .run {
          client.send(Self.get)
          loop.drain()
        })
      #expect(try client.response().status == 200)
      #expect(try client.rest() == "")
    }
  }

  @Test func `an end that is announced closes connections with their next answer`() throws {
    try withServer(handler: echo) { server, address in
      let client = try RawClient(address)
      client.send(Self.get)
      #expect(try client.response()["connection"] == nil)
      server.announceEnd()
      let alive = Signal()
      server.probe(within: .seconds(120)) { if $0 { alive.send() } }
      #expect(alive.wait())
      client.send(Self.get)
      #expect(try client.response()["connection"] == "close")
      #expect(try client.rest() == "")
      let other = try RawClient(address)
      other.send(Self.get)
      #expect(try other.response().status == 200)
    }
  }

  @Test func `a client that does not close holds a shutdown up for a moment only`() throws {
    let clock = ManualClock()
    let server = ConnectionServer(
      with(
        ServerConfiguration(listeners: [
          Listener(address: .tcp(host: "127.0.0.1", port: 0), handler: echo)
        ])
      ) {
        $0.clock = clock.serverClock
        $0.loops = 1
        $0.limits.lingerTimeout = .seconds(3600)
      })
    let address = try #require(try server.start().first)
    let client = try RawClient(address)
    client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    #expect(try client.rest().hasSuffix("GET / "))
    let idle = try RawClient(address)
    idle.send(Self.get)
    #expect(try idle.response().status == 200)
    let ended = Signal()
    server.shutdown(within: .seconds(60)) { ended.send() }
    #expect(try idle.rest() == "")
    clock.advance(by: .seconds(1))
    #expect(ended.wait())
  }

  @Test func `a server with a loop that is stuck is not alive`() throws {
    let (stuck, release, told) = (Signal(), Signal(), Signal())
    let lives = Counter()
    try withServer(handler: { _, responder in
      stuck.send()
      _ = release.wait()
      responder.send(HTTPResponse(status: 204))
    }) { server, address in
      let client = try RawClient(address)
      client.send(Self.get)
      #expect(stuck.wait())
      server.probe(within: .milliseconds(50)) { isAlive in
        if isAlive { lives.add() }
        told.send()
      }
      #expect(told.wait())
      #expect(lives.value == 0)
      release.send()
      #expect(try client.response().status == 204)
      server.probe(within: .seconds(120)) { isAlive in
        if isAlive { lives.add() }
        told.send()
      }
      #expect(told.wait())
      #expect(lives.value == 1)
    }
  }

  @Test func `a connection over the limit is turned away with 503`() throws {
    var limits = ServerLimits()
    limits.connectionsMax = 1
    try withServer(limits: limits, handler: echo) { _, address in
      let first = try RawClient(address)
      first.send(Self.get)
      #expect(try first.response().status == 200)
      let second = try RawClient(address)
      let answer = try second.response()
      #expect(answer.status == 503)
      #expect(answer["retry-after"] == "5")
      first.send(Self.get)
      #expect(try first.response().status == 200)
    }
  }
}

/// A value changed.
private func with<T>(_ value: T, _ change: (inout T) -> Void) -> T {
  var value = value
  change(&value)
  return value
}
