import Glibc
import HTTP1
import SocketServer
import TestSupport
import Testing

struct ListenTests {
  private func path() -> String {
    "/tmp/livedelta-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }

  private func server(_ addresses: ListenAddress...) -> ConnectionServer {
    ConnectionServer(
      ServerConfiguration(listeners: addresses.map { Listener(address: $0, handler: echo) }))
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test func `several listeners serve at once, each with its own handler`() throws {
    let path = path()
    let server = ConnectionServer(
      ServerConfiguration(listeners: [
        Listener(address: .tcp(host: "127.0.0.1", port: 0), handler: echo),
        Listener(address: .unix(path: path, mode: 0o600)) { $1.send(HTTPResponse(status: 204)) },
      ]))
    let addresses = try server.start()
    #expect(addresses.count == 2)
    #expect(addresses[0].port != 0)
    #expect(addresses[1] == .unix(path: path))
    #expect(mode(path).map { $0 & 0o777 } == 0o600)
    for (address, status) in zip(addresses, [200, 204]) {
      let client = try RawClient(address)
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.response().status == status)
    }
    server.stop()
    #expect(mode(path) == nil)
  }

  @Test func `IP version 6 is listened on`() throws {
    let server = server(.tcp(host: "::1", port: 0))
    let addresses = try server.start()
    #expect(addresses.first?.description.hasPrefix("[::1]:") == true)
    server.stop()
  }

  @Test func `the peer's address is told`() throws {
    try withServer(handler: { _, responder in
      let text = responder.peer.description
      responder.send(HTTPResponse(status: 200, body: .bytes(Array(text.utf8))))
    }) { _, address in
      let client = try RawClient(address)
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.response().text.hasPrefix("127.0.0.1:"))
    }
  }

  @Test func `an address that is taken is refused by name, and nothing else listened on`() throws {
    let first = server(.tcp(host: "127.0.0.1", port: 0))
    let port = try #require(try first.start().first?.port)
    let taken = ListenAddress.tcp(host: "127.0.0.1", port: port)
    let path = path()
    let second = server(.unix(path: path), taken)
    #expect(throws: ListenError.addressInUse(taken)) { try second.start() }
    #expect(mode(path) == nil)
    #expect(
      "\(ListenError.addressInUse(taken))" == "127.0.0.1:\(port): the address is already in use")
    first.stop()
  }

  @Test func `addresses that cannot be had say why`() throws {
    let foreign = ListenAddress.tcp(host: "192.0.2.1", port: 0)
    #expect(throws: ListenError.addressNotAvailable(foreign)) { try server(foreign).start() }
    let long = ListenAddress.unix(path: "/tmp/" + String(repeating: "a", count: 200))
    #expect(throws: ListenError.pathNotUsable(long)) { try server(long).start() }
    let missing = ListenAddress.unix(path: "/nowhere/at/all")
    #expect(throws: ListenError.system(missing, errno: ENOENT)) { try server(missing).start() }
    let directory = ListenAddress.unix(path: "/tmp")
    #expect(throws: ListenError.pathTaken(directory)) { try server(directory).start() }
  }

  @Test func `a stale Unix socket is replaced, a live one refused`() throws {
    let path = path()
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    close(stale)

    let first = server(.unix(path: path))
    #expect(try first.start() == [.unix(path: path)])
    let second = server(.unix(path: path))
    #expect(throws: ListenError.addressInUse(.unix(path: path))) { try second.start() }
    let client = try RawClient(.unix(path: path))
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.response().status == 200)
    first.stop()
  }
}
