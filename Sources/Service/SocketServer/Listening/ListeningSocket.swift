import Glibc

/// A listening socket, and its file if it is a Unix domain socket.
struct ListeningSocket {
  let descriptor: Int32
  let bound: BoundAddress
  /// Whether this process made the socket, and removes the file if it is a Unix domain socket.
  var isOwned = true

  /// Opens the sockets of an address; a host name may resolve to several.
  static func open(
    _ address: ListenAddress, backlog: Int
  ) throws(ListenError) -> [ListeningSocket] {
    switch address {
    case .unix(let path, let mode):
      [try openUnix(address, path: path, mode: mode, backlog: backlog)]
    case .inherited(let descriptor):
      [try openInherited(address, descriptor: descriptor)]
    case .tcp(let host, let port):
      try openTCP(address, host: host, port: port, backlog: backlog)
    }
  }

  /// Closes the socket, and removes its file if this process owns it.
  func close() {
    if isOwned, case .unix(let path) = bound { unsafe unlink(path) }
    Glibc.close(descriptor)
  }

  private static func openTCP(
    _ address: ListenAddress, host: String, port: UInt16, backlog: Int
  ) throws(ListenError) -> [ListeningSocket] {
    let resolved = SocketAddress.resolve(host: host, port: port)
    guard !resolved.isEmpty else { throw .addressNotAvailable(address) }
    var sockets: [ListeningSocket] = []
    do throws(ListenError) {
      for candidate in resolved {
        guard let socket = try openTCP(address, candidate, backlog: backlog) else { continue }
        sockets.append(socket)
        // With port 0, the other addresses of the name would get different ports.
        if port == 0 { break }
      }
    } catch {
      for socket in sockets { socket.close() }
      throw error
    }
    guard !sockets.isEmpty else { throw .addressNotAvailable(address) }
    return sockets
  }

  /// Opens one socket, or returns `nil` if this machine lacks the address or its family.
  private static func openTCP(
    _ address: ListenAddress, _ candidate: SocketAddress, backlog: Int
  ) throws(ListenError) -> ListeningSocket? {
    let descriptor = socket(
      candidate.family, Int32(SOCK_STREAM.rawValue) | SocketFlags.nonBlocking, 0)
    guard descriptor >= 0 else {
      if errno == EAFNOSUPPORT { return nil }
      throw ListenError(address, errno: errno)
    }
    setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    setInheritedOptions(descriptor)
    if candidate.family == AF_INET6 {
      setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
    }
    guard unsafe candidate.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, Int32(backlog)) == 0
    else {
      let number = errno
      Glibc.close(descriptor)
      if number == EADDRNOTAVAIL { return nil }
      throw ListenError(address, errno: number)
    }
    return ListeningSocket(descriptor: descriptor, bound: boundAddress(descriptor))
  }

  static func boundAddress(_ descriptor: Int32) -> BoundAddress {
    var local = SocketAddress()
    // Fails only for what is no socket.
    _ = unsafe local.fill { unsafe getsockname(descriptor, $0, $1) }
    return switch local.peer {
    case .ipv4(_, let port), .ipv6(_, _, let port): .tcp(host: local.peer.host, port: port)
    case .unix: .unix(path: local.unixPath)
    }
  }

  /// Sets the options that accepted TCP sockets inherit.
  ///
  /// Without `TCP_NOTSENT_LOWAT` the kernel would buffer megabytes for a slow reader: memory that
  /// no budget counts, and loop time spent on copying.
  static func setInheritedOptions(_ descriptor: Int32) {
    setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytesMax)
  }

  /// The approximate number of unsent bytes that the kernel buffers for a connection.
  private static let unsentBytesMax: Int32 = 128 << 10

  /// Sets an option; without one of the above the service is slower, but serves.
  ///
  /// If an address cannot be reused, or is for both families, binding it fails and is told.
  static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

enum SocketFlags {
  static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
}
