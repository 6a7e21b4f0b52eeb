import Glibc

/// The address of the peer of a connection.
public enum PeerAddress: Sendable, Hashable, CustomStringConvertible {
  /// An IPv4 address in network byte order, and a port.
  case ipv4(UInt32, port: UInt16)
  /// An IPv6 address in network byte order, and a port.
  case ipv6(UInt64, UInt64, port: UInt16)
  /// A process connected through a Unix domain socket, and its uid; `nil` if that is not known.
  case unix(uid: UInt32?)

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
  /// The uid of the process at the other end of a Unix domain socket, if known.
  public var user: UInt32? { if case .unix(let user) = self { user } else { nil } }

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
  /// Whether two addresses are the same apart from their ports.
  public func hasHost(of other: PeerAddress) -> Bool {
    switch (self, other) {
    case (.ipv4(let address, _), .ipv4(let otherAddress, _)): address == otherAddress
    case (.ipv6(let high, let low, _), .ipv6(let otherHigh, let otherLow, _)):
      high == otherHigh && low == otherLow
    case (.unix, .unix): true
    default: false
    }
  }
}

extension PeerAddress {
  /// A number that addresses have in common which one subscriber is likely to have: an IPv4 address, or the
  /// /64 network of an IPv6 address; 0 for Unix domain sockets.
  public var network: UInt64 {
    switch self {
    // As it would be within an IPv6 address; no network begins like this (RFC 4291 §2.4).
    case .ipv4(let address, _): 0xffff << 32 | UInt64(address)
    case .ipv6(let network, _, _): network
    case .unix: 0
    }
  }

  /// What connections are counted by for the limit per address; `nil` for Unix domain sockets.
  ///
  /// For IPv6 it is the /64 network, since one subscriber usually has all of it.
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
