import Glibc

/// A socket address of any family in the system's representation.
struct SocketAddress {
  var storage = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Passes the address to a system call that reads it.
  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }

  /// Passes the storage to a system call that fills in the address.
  mutating func fill(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Int32 {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &length) }
    }
  }

  /// Returns the address of a Unix domain socket, or `nil` if the path is empty or too long.
  static func unix(_ path: String) -> SocketAddress? {
    let bytes = Array(path.utf8)
    var unix = sockaddr_un()
    let capacity = MemoryLayout.size(ofValue: unix.sun_path)
    guard bytes.count < capacity, !bytes.isEmpty, !bytes.contains(0) else { return nil }
    unix.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &unix.sun_path) { unsafe $0.copyBytes(from: bytes) }
    var address = SocketAddress()
    unsafe withUnsafeMutableBytes(of: &address.storage) {
      unsafe $0.storeBytes(of: unix, as: sockaddr_un.self)
    }
    address.length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return address
  }

  /// Resolves a host name or address to the addresses to listen on.
  static func resolve(host: String, port: UInt16) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list) == 0 else {
      return []
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var entry = unsafe list
    while let info = unsafe entry?.pointee {
      var address = SocketAddress()
      unsafe withUnsafeMutableBytes(of: &address.storage) { target in
        unsafe target.copyMemory(
          from: UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
      }
      address.length = unsafe info.ai_addrlen
      addresses.append(address)
      unsafe entry = info.ai_next
    }
    return addresses
  }

  var unixPath: String {
    unsafe withUnsafeBytes(of: storage) { bytes in
      let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
      let path = unsafe bytes[offset..<max(offset, min(Int(length), bytes.count))]
      return unsafe String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  var peer: PeerAddress {
    unsafe withUnsafeBytes(of: storage) { bytes in
      switch family {
      case AF_INET:
        let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
        return .ipv4(address.sin_addr.s_addr, port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let port = unsafe UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port)
        let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
        return unsafe .ipv6(
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
          bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self), port: port)
      default:
        return .unix(uid: nil)
      }
    }
  }
}
