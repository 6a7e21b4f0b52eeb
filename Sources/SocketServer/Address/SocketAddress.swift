import Glibc

/// A socket's address in the system's form, of any family.
struct SocketAddress {
  var storage = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Calls a system call that reads the address.
  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Calls a system call that fills the address in.
  mutating func fill(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Int32 {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  /// The address of a Unix domain socket, or nil if the path is too long for one.
  static func unix(_ path: String) -> SocketAddress? {
    var address = SocketAddress()
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutablePointer(to: &address.storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { unix in
        unix.pointee.sun_family = sa_family_t(AF_UNIX)
        return withUnsafeMutableBytes(of: &unix.pointee.sun_path) { target in
          guard bytes.count < target.count, !bytes.isEmpty, !bytes.contains(0) else { return false }
          target.copyBytes(from: bytes)
          return true
        }
      }
    }
    guard fits else { return nil }
    address.length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return address
  }

  /// The addresses that a host name or an address stands for, those for listening.
  static func resolve(host: String, port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list) == 0 else {
      return []
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var entry = list
    while let info = entry?.pointee {
      var address = SocketAddress()
      withUnsafeMutableBytes(of: &address.storage) { target in
        target.copyMemory(
          from: UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
      }
      address.length = info.ai_addrlen
      addresses.append(address)
      entry = info.ai_next
    }
    return addresses
  }

  /// The path of a Unix domain socket.
  var unixPath: String {
    withUnsafeBytes(of: storage) { bytes in
      let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
      let path = bytes[offset..<max(offset, min(Int(length), bytes.count))]
      return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// The address as that of a peer.
  var peer: PeerAddress {
    withUnsafeBytes(of: storage) { bytes in
      switch family {
      case AF_INET:
        let address = bytes.loadUnaligned(as: sockaddr_in.self)
        return .ipv4(address.sin_addr.s_addr, port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let port = UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port)
        let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
        return .ipv6(
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
          bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self), port: port)
      default:
        return .unix
      }
    }
  }
}
