import Glibc

/// Who is at the other end of a connection.
public enum PeerAddress: Sendable, Hashable, CustomStringConvertible {
  /// An address of IP version 4, in network order, and a port.
  case ipv4(UInt32, port: UInt16)
  /// An address of IP version 6, in network order, and a port.
  case ipv6(UInt64, UInt64, port: UInt16)
  /// Whoever may open the socket's file.
  case unix

  /// The address and port in the usual notation; `unix` for a Unix domain socket.
  public var description: String {
    switch self {
    case .ipv4(_, let port): "\(host):\(port)"
    case .ipv6(_, _, let port): "[\(host)]:\(port)"
    case .unix: "unix"
    }
  }
}

extension PeerAddress {
  /// The address without the port, in the usual notation.
  public var host: String {
    switch self {
    case .ipv4(let address, _): Self.text(AF_INET, address)
    case .ipv6(let high, let low, _): Self.text(AF_INET6, (high, low))
    case .unix: "unix"
    }
  }

  private static func text(_ family: Int32, _ address: some BitwiseCopyable) -> String {
    withUnsafeBytes(of: address) { bytes in
      let size = Int(INET6_ADDRSTRLEN)
      let text = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let raw = UnsafeMutableRawBufferPointer(buffer).baseAddress
        let pointer = raw?.assumingMemoryBound(to: CChar.self)
        let found = inet_ntop(family, bytes.baseAddress, pointer, socklen_t(size))
        count = found.map { strlen($0) } ?? 0
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
}

extension PeerAddress {
  /// What limits count connections by; nil for those that are not counted.
  ///
  /// Of IP version 6 it is the network of 64 bits, all of which one subscriber has.
  var origin: Origin? {
    switch self {
    case .ipv4(let address, _): .ipv4(address)
    case .ipv6(let network, _, _): .ipv6(network)
    case .unix: nil
    }
  }

  enum Origin: Hashable {
    case ipv4(UInt32)
    case ipv6(UInt64)
  }
}
