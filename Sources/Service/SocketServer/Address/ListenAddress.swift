/// An address for a server to listen on.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// An IP address without brackets, or a host name, and a port; 0 picks a free one.
  case tcp(host: String, port: UInt16)
  /// A Unix domain socket at a path, and the permissions of its file.
  case unix(path: String, mode: UInt32 = 0o660)
  /// The descriptor of a socket that is already listening; see ``inherited()``.
  case inherited(descriptor: Int32)

  /// The address in command-line notation: `127.0.0.1:8080`, `[::1]:80`, `unix:/run/x`.
  public var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path, _): "unix:\(path)"
    case .inherited(let descriptor): "descriptor:\(descriptor)"
    }
  }
}

/// An address that a server listens on, with the actual port in place of port 0.
public enum BoundAddress: Sendable, Hashable, CustomStringConvertible {
  /// An IPv4 or IPv6 address and a port.
  case tcp(host: String, port: UInt16)
  /// The path of a Unix domain socket.
  case unix(path: String)

  /// The address in command-line notation.
  public var description: String {
    switch self {
    case .tcp(let host, let port): ListenAddress.tcp(host: host, port: port).description
    case .unix(let path): "unix:\(path)"
    }
  }

  /// The port, or `nil` for a Unix domain socket.
  public var port: UInt16? {
    guard case .tcp(_, let port) = self else { return nil }
    return port
  }
}
