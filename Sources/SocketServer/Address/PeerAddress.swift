import Glibc

/// The address of a connection's peer.
public enum PeerAddress: Sendable, Hashable, CustomStringConvertible {
  /// An address of IP version 4, in network order, and a port.
  case ipv4(UInt32, port: UInt16)
  /// An address of IP version 6, in network order, and a port.
  case ipv6(UInt64, UInt64, port: UInt16)
  /// A process that may open the socket's file.
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
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isText = unsafe withUnsafeBytes(of: address) { bytes in
      unsafe inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil
    }
    guard isText else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
