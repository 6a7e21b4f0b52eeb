import Dispatch
import HTTP1
import SocketServer
import TestSupport
import Testing

struct TimeoutTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  /// A server of one event loop whose time stands still, and a client that tells when the loop has
  /// seen all that was sent and all that time has brought.
  private struct Bench {
    let clock: ManualClock
    let server: ConnectionServer
    let address: BoundAddress
    let companion: RawClient

    /// Waits until the loop has handled what came before: one loop serves events in their order.
    func settle() throws {
      for _ in 0..<2 {
        companion.send(TimeoutTests.get)
        _ = try companion.response()
      }
    }

    /// Moves the time on by steps that are short enough for the companion to stay.
    func pass(seconds: Int) throws {
      for _ in 0..<seconds {
        clock.advance(by: .seconds(1))
        try settle()
      }
    }
  }

  private func bench(
    limits: ServerLimits = ServerLimits(), handler: @escaping Handler = echo,
    test: (Bench) throws -> Void
  ) throws {
    let clock = ManualClock()
    try withServer(limits: limits, clock: clock.serverClock, loops: 1, handler: handler) {
      let bench = Bench(
        clock: clock, server: $0, address: $1, companion: try RawClient($1))
      try bench.settle()
      try test(bench)
    }
  }

  @Test func `a head that does not come in time gets 408`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      client.send(Self.get)
      #expect(try client.response().status == 200)
      client.send("GET / HTTP/1.1\r\nHo")
      try bench.settle()
      try bench.pass(seconds: 5)
      client.send("st: ")
      try bench.pass(seconds: 4)
      #expect(!client.isReadable(milliseconds: 0))
      try bench.pass(seconds: 2)
      let answer = try client.response()
      #expect(answer.status == 408)
      #expect(answer.text.contains("\"code\":\"request-timeout\""))
      #expect(answer["connection"] == "close")
      #expect(try client.rest() == "")
    }
  }

  @Test func `a connection that never asks is closed without an answer`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      try bench.settle()
      try bench.pass(seconds: 9)
      #expect(!client.isReadable(milliseconds: 0))
      try bench.pass(seconds: 2)
      #expect(try client.rest() == "")
    }
  }

  @Test func `an idle connection is kept for its time and then closed`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      for _ in 0..<2 {
        client.send(Self.get)
        #expect(try client.response().status == 200)
        try bench.pass(seconds: 74)
        #expect(!client.isReadable(milliseconds: 0))
      }
      try bench.pass(seconds: 2)
      #expect(try client.rest() == "")
    }
  }

  @Test func `a body that does not come in time gets 408`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
      try bench.settle()
      try bench.pass(seconds: 29)
      #expect(!client.isReadable(milliseconds: 0))
      try bench.pass(seconds: 2)
      #expect(try client.response().status == 408)
      #expect(try client.rest() == "")
    }
  }

  @Test func `a body slower than the least rate gets 408, a faster one is served`() throws {
    var limits = ServerLimits()
    limits.bodyBytesPerSecondMin = 1000
    try bench(limits: limits) { bench in
      let head = "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"
      let fast = try RawClient(bench.address)
      let slow = try RawClient(bench.address)
      fast.send(head)
      slow.send(head)
      try bench.settle()
      var slowSeconds = 0
      for second in 1...100 {
        fast.send([UInt8](repeating: 0x61, count: 1000))
        if slowSeconds == 0 { slow.send([UInt8](repeating: 0x61, count: 100)) }
        try bench.pass(seconds: 1)
        if slowSeconds == 0, slow.isReadable(milliseconds: 0) { slowSeconds = second }
      }
      #expect(try fast.response().status == 200)
      #expect(try slow.response().status == 408)
      // 30 s are free, and 100 bytes a second earn a tenth of each second.
      #expect(33...35 ~= slowSeconds)
    }
  }

  @Test func `a body that came fast and then stands still gets 408 after the time-out`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n")
      client.send([UInt8](repeating: 0x61, count: 4_000_000))
      // Half a megabyte is read between two requests of others.
      for _ in 0..<20 { try bench.settle() }
      try bench.pass(seconds: 29)
      #expect(!client.isReadable(milliseconds: 0))
      // A byte now and then is no progress.
      client.send([0x61])
      try bench.pass(seconds: 2)
      #expect(try client.response().status == 408)
    }
  }

  @Test func `a request that waits for its answer is not timed out`() throws {
    let parked = Parked()
    try bench(handler: { request, responder in
      guard request.path.elementsEqual("/park".utf8) else { return echo(request, responder) }
      parked.park(responder)
    }) { bench in
      let client = try RawClient(bench.address)
      client.send("GET /park HTTP/1.1\r\nHost: h\r\n\r\n")
      let responder = parked.take()
      try bench.pass(seconds: 200)
      #expect(!client.isReadable(milliseconds: 0))
      responder.send(HTTPResponse(status: 204))
      #expect(try client.response().status == 204)
      client.send(Self.get)
      #expect(try client.response().status == 200)
    }
  }

  @Test func `a peer that does not read is broken off after the write time-out`() throws {
    let gone = Signal()
    let body = [UInt8](repeating: 0x61, count: 32 << 20)
    try bench(handler: { request, responder in
      guard request.path.elementsEqual("/stream".utf8) else { return echo(request, responder) }
      let stream = responder.stream(HTTPResponse(status: 200))
      stream.onClose { gone.send() }
      stream.write(body)
    }) { bench in
      let client = try RawClient(bench.address)
      client.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(client.isReadable(milliseconds: 20_000))
      // Taking some gives it its time again.
      try bench.pass(seconds: 20)
      _ = try client.bytes(12 << 20)
      try bench.pass(seconds: 20)
      #expect(bench.server.connectionCount == 2)
      try bench.pass(seconds: 40)
      #expect(gone.wait())
    }
  }

  @Test func `one that lingers is closed when its time is over`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      client.send("BAD\r\n\r\n")
      #expect(try client.response().status == 400)
      try bench.settle()
      #expect(bench.server.connectionCount == 2)
      try bench.pass(seconds: 6)
      #expect(bench.server.connectionCount == 1)
    }
  }

  @Test func `Date follows the clock`() throws {
    try bench { bench in
      let client = try RawClient(bench.address)
      client.send(Self.get)
      #expect(try client.response()["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
      try bench.pass(seconds: 25)
      client.send(Self.get)
      #expect(try client.response()["date"] == "Sun, 06 Nov 1994 08:50:02 GMT")
    }
  }
}
