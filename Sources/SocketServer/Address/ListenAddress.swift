/// Where a server is to listen.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// A host name or an address of IP version 4 or 6 without brackets, and a port; 0 takes a free one.
  case tcp(host: String, port: UInt16)
  /// A Unix domain socket at a path, with the permissions of its file.
  case unix(path: String, mode: UInt32 = 0o660)
  /// A descriptor of a socket that listens already: see ``inherited()``.
  case inherited(descriptor: Int32)

  /// The address as it is written on a command line: `127.0.0.1:8080`, `[::1]:80`, `unix:/run/x`.
  public var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path, _): "unix:\(path)"
    case .inherited(let descriptor): "descriptor:\(descriptor)"
    }
  }
}

/// Where a server listens: a port 0 has become the one that was taken.
public enum BoundAddress: Sendable, Hashable, CustomStringConvertible {
  /// An address of IP version 4 or 6 and a port.
  case tcp(host: String, port: UInt16)
  /// The path of a Unix domain socket.
  case unix(path: String)

  /// The address as it is written on a command line.
  public var description: String {
    switch self {
    case .tcp(let host, let port): ListenAddress.tcp(host: host, port: port).description
    case .unix(let path): "unix:\(path)"
    }
  }

  /// The port, unless the address is that of a Unix domain socket.
  public var port: UInt16? {
    guard case .tcp(_, let port) = self else { return nil }
    return port
  }
}
