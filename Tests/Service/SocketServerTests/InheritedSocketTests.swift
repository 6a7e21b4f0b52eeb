import Glibc
import HTTP1
import Synchronization
import TestSupport
import Testing

@testable import SocketServer

struct InheritedSocketTests {
  @Test func `a socket that listens already is served`() throws {
    let opened = try ListeningSocket.open(.tcp(host: "127.0.0.1", port: 0), backlog: 8)
    let socket = try #require(opened.first)
    let server = ConnectionServer(
      ServerConfiguration(listeners: [
        Listener(address: .inherited(descriptor: socket.descriptor), handler: echo)
      ]))
    #expect(try server.start() == [socket.bound])
    let client = try RawClient(socket.bound)
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.response().status == 200)
    server.stop()
  }

  @Test func `the file of an inherited Unix socket is left to its maker`() throws {
    let path = "/tmp/livedelta-test-\(getpid())-inherited"
    defer { unlink(path) }
    let opened = try ListeningSocket.open(.unix(path: path), backlog: 8)
    let address = ListenAddress.inherited(descriptor: try #require(opened.first).descriptor)
    let server = ConnectionServer(
      ServerConfiguration(listeners: [Listener(address: address, handler: echo)]))
    #expect(try server.start() == [.unix(path: path)])
    server.stop()
    #expect(access(path, F_OK) == 0)
  }

  @Test func `a socket that another process ends pauses accepting, and is told`() throws {
    let opened = try ListeningSocket.open(.tcp(host: "127.0.0.1", port: 0), backlog: 8)
    let descriptor = try #require(opened.first).descriptor
    let other = dup(descriptor)
    defer { close(other) }
    let paused = Signal()
    let number = Mutex<Int32>(0)
    var configuration = ServerConfiguration(listeners: [
      Listener(address: .inherited(descriptor: descriptor), handler: echo)
    ])
    configuration.onEvent = { event in
      guard case .acceptPaused(let errno) = event else { return }
      number.withLock { $0 = errno }
      paused.send()
    }
    let server = ConnectionServer(configuration)
    _ = try server.start()
    shutdown(other, Int32(SHUT_RDWR))
    #expect(paused.wait())
    #expect(number.withLock(\.self) == EINVAL)
    server.stop()
  }

  @Test func `what is no socket that listens is refused`() {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    defer { close(descriptor) }
    let address = ListenAddress.inherited(descriptor: descriptor)
    let server = ConnectionServer(
      ServerConfiguration(listeners: [Listener(address: address, handler: echo)]))
    #expect(throws: ListenError.notListening(address)) { try server.start() }
  }

  @Test func `descriptors are inherited by the process they are meant for`() {
    #expect(
      ListenAddress.inherited(process: getpid(), count: 2) == [
        .inherited(descriptor: 3), .inherited(descriptor: 4),
      ])
    #expect(ListenAddress.inherited(process: getpid() + 1, count: 2) == [])
    #expect(ListenAddress.inherited(process: getpid(), count: 0) == [])
    #expect(ListenAddress.inherited(process: getpid(), count: -1) == [])
  }
}
