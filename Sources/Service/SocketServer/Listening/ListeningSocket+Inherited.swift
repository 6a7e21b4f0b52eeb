import Glibc

extension ListenAddress {
  /// The sockets that the service manager passed to this process in `LISTEN_PID` and `LISTEN_FDS`;
  /// see `sd_listen_fds(3)`.
  public static func inherited() -> [ListenAddress] {
    guard let process = number("LISTEN_PID"), let count = number("LISTEN_FDS") else { return [] }
    return inherited(process: process, count: count)
  }

  private static func number(_ variable: String) -> Int32? {
    guard let text = unsafe getenv(variable) else { return nil }
    return unsafe Int32(String(cString: text))
  }

  /// Returns the inherited sockets, whose descriptors start at 3.
  static func inherited(process: pid_t, count: Int32) -> [ListenAddress] {
    guard process == getpid(), 1...1024 ~= count else { return [] }
    return (3..<(3 + count)).map { .inherited(descriptor: $0) }
  }
}

extension ListeningSocket {
  /// Takes over a descriptor, which must be that of a listening stream socket.
  static func openInherited(
    _ address: ListenAddress, descriptor: Int32
  ) throws(ListenError) -> ListeningSocket {
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 else {
      throw ListenError(address, errno: errno)
    }
    guard isListening != 0 else { throw .notListening(address) }
    guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw ListenError(address, errno: errno) }
    let bound = boundAddress(descriptor)
    if bound.port != nil { setInheritedOptions(descriptor) }
    // The process that created a Unix domain socket removes its file.
    return ListeningSocket(descriptor: descriptor, bound: bound, isOwned: false)
  }
}
