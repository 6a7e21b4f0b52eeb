import Dispatch
import HTTP1
import SocketServer
import Synchronization
import TestSupport
import Testing

struct StreamTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test func `a stream is chunked, and the connection goes on behind it`() throws {
    try withServer(handler: { request, responder in
      guard request.path.elementsEqual("/".utf8) else { return echo(request, responder) }
      let stream = responder.stream(HTTPResponse(status: 200))
      stream.write(Array("abc".utf8))
      later.async {
        stream.write([])
        stream.write([UInt8](repeating: 0x64, count: 100_000))
        stream.finish()
      }
    }) { _, address in
      let client = try RawClient(address)
      client.send(Self.get + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = try client.response()
      #expect(answer["transfer-encoding"] == "chunked")
      #expect(answer.body == Array("abc".utf8) + [UInt8](repeating: 0x64, count: 100_000))
      #expect(try client.response().text == "GET /next ")
    }
  }

  @Test func `a stream to HTTP 1.0 ends with the connection`() throws {
    try withServer(handler: { _, responder in
      let stream = responder.stream(HTTPResponse(status: 200))
      stream.write(Array("abc".utf8))
      stream.finish()
    }) { _, address in
      let client = try RawClient(address)
      client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let text = try client.rest()
      #expect(text.contains("Connection: close\r\n"))
      #expect(text.hasSuffix("\r\n\r\nabc"))
    }
  }

  @Test func `a stream in answer to HEAD has no content`() throws {
    try withServer(handler: { request, responder in
      guard request.isHead else { return echo(request, responder) }
      let stream = responder.stream(HTTPResponse(status: 200))
      stream.write(Array("abc".utf8))
      stream.finish()
    }) { _, address in
      let client = try RawClient(address)
      client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" + Self.get)
      #expect(try client.response(toHead: true).status == 200)
      #expect(try client.response().text == "GET / ")
    }
  }

  @Test func `a writer that obeys is held back by a slow reader, and called when it may go on`()
    throws
  {
    let total = 20_000_000
    let piece = [UInt8](repeating: 0x61, count: 10_000)
    let held = Atomic<Int>(0)
    try withServer(handler: { _, responder in
      let stream = responder.stream(HTTPResponse(status: 200))
      let writer = Writer(stream: stream, piece: piece, total: total) {
        held.wrappingAdd(1, ordering: .relaxed)
      }
      writer.go()
    }) { _, address in
      let client = try RawClient(address)
      client.send(Self.get)
      #expect(try client.response().body.count == total)
      #expect(held.load(ordering: .relaxed) > 0)
    }
  }

  @Test func `the peer's leaving is told to a stream and to a request that waits`() throws {
    let left = Signal()
    try withServer(handler: { request, responder in
      if request.path.elementsEqual("/stream".utf8) {
        let stream = responder.stream(HTTPResponse(status: 200))
        stream.onClose { left.send() }
        stream.write([0x61])
      } else {
        responder.onHangup { _ in left.send() }
        responder.send(HTTPResponse(status: 100 + 100))
      }
    }) { _, address in
      var client: RawClient? = try RawClient(address)
      client?.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = try client?.bytes(10)
      client = nil
      #expect(left.wait())
    }
    let parked = Parked()
    try withServer(handler: { _, responder in
      responder.onHangup { if $0 == .both { left.send() } }
      parked.park(responder)
    }) { server, address in
      var client: RawClient? = try RawClient(address)
      client?.send(Self.get)
      let responder = parked.take()
      client?.resetOnClose()
      client = nil
      #expect(left.wait())
      // Answers to nobody are dropped.
      responder.send(HTTPResponse(status: 200))
    }
  }

  @Test func `a request that waits is answered though its client has shut its side`() throws {
    let parked = Parked()
    let shut = Signal()
    try withServer(handler: { _, responder in
      responder.onHangup { hangup in
        guard hangup == .sending else {
          Issue.record("taken to be gone")
          return
        }
        shut.send()
      }
      parked.park(responder)
    }) { _, address in
      for shutsFirst in [false, true] {
        let client = try RawClient(address)
        client.send(Self.get)
        if shutsFirst { client.finishSending() }
        let responder = parked.take()
        if !shutsFirst { client.finishSending() }
        #expect(shut.wait())
        later.async { responder.send(HTTPResponse(status: 200, body: .bytes([0x61]))) }
        #expect(try client.rest().hasSuffix("\r\n\r\na"))
      }
    }
  }

  @Test func `a broken off stream is seen to be incomplete`() throws {
    try withServer(handler: { _, responder in
      let stream = responder.stream(HTTPResponse(status: 200))
      stream.write(Array("abc".utf8))
      stream.abort()
    }) { _, address in
      let client = try RawClient(address)
      client.send(Self.get)
      #expect(throws: RawClient.Failure.self) { try client.response() }
    }
  }

  @Test func `only the first answer to a request counts`() throws {
    try withServer(handler: { request, responder in
      echo(request, responder)
      responder.send(HTTPResponse(status: 500))
      let stream = responder.stream(HTTPResponse(status: 500))
      #expect(!stream.write([1]) || true)
    }) { _, address in
      let client = try RawClient(address)
      client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.response().text == "GET /1 ")
      #expect(try client.response().text == "GET /2 ")
    }
  }
}

/// Writes until it is told to stop, and goes on when it may.
private final class Writer: Sendable {
  let stream: ResponseStream
  let piece: [UInt8]
  let left: Atomic<Int>
  let onHeld: @Sendable () -> Void

  init(stream: ResponseStream, piece: [UInt8], total: Int, onHeld: @escaping @Sendable () -> Void) {
    self.stream = stream
    self.piece = piece
    left = Atomic(total)
    self.onHeld = onHeld
  }

  func go() {
    while left.load(ordering: .relaxed) > 0 {
      left.wrappingSubtract(piece.count, ordering: .relaxed)
      if !stream.write(piece) {
        onHeld()
        return stream.onWritable { self.go() }
      }
    }
    stream.finish()
  }
}
