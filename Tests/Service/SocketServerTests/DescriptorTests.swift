import Glibc
import HTTP1
import SocketServer
import TestSupport
import Testing

struct DescriptorTests {
  @Test func `out of descriptors, those there are go on, and others are accepted when it can`()
    async
  {
    // In a process of its own: the limit is the whole process's.
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 128, rlim_max: 128)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let paused = Signal()
      let resumed = Signal()
      try withServer(
        onEvent: { event in
          switch event {
          case .acceptPaused: paused.send()
          case .acceptResumed: resumed.send()
          default: break
          }
        }, handler: echo
      ) { _, address in
        let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        let first = try RawClient(address)
        first.send(get)
        #expect(try first.response().status == 200)
        // One descriptor is left: for the client, not for the server.
        var spare: [Int32] = []
        while case let descriptor = dup(0), descriptor >= 0 { spare.append(descriptor) }
        close(spare.removeLast())
        let second = try RawClient(address)
        second.send(get)
        #expect(paused.wait())
        first.send(get)
        #expect(try first.response().status == 200)
        for descriptor in spare { close(descriptor) }
        #expect(resumed.wait())
        #expect(try second.response().status == 200)
      }
    }
  }
}
