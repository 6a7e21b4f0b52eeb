/// The address of a service: a base URL, or a Unix domain socket.
///
/// ```swift
/// let address = try ServerAddress("127.0.0.1:8080")        // http://127.0.0.1:8080
/// let local = try ServerAddress("unix:/run/livedelta.sock")
/// ```
public enum ServerAddress: Hashable, Sendable {
  /// A base URL with the scheme `http` or `https`, without a trailing slash.
  case url(String)
  /// The path of a Unix domain socket.
  case unix(path: String)

  /// Parses a URL, `HOST:PORT`, or `unix:PATH`.
  ///
  /// - Throws: `ClientError.badAddress` for any other text.
  public init(_ text: String) throws(ClientError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard !path.isEmpty else {
        throw .badAddress("\"\(text)\": a path is missing after \"unix:\"")
      }
      self = .unix(path: path)
      return
    }
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) } ?? ""
    var rest = text.dropFirst(scheme.count)
    guard !scheme.isEmpty || !rest.contains("://") else {
      throw .badAddress("\"\(text)\": the scheme must be http, https or unix")
    }
    guard let first = rest.first, first != "/", first != ":" else {
      throw .badAddress("\"\(text)\": a host is missing")
    }
    while rest.hasSuffix("/") { rest.removeLast() }
    self = .url((scheme.isEmpty ? "http://" : scheme) + rest)
  }

  /// The prefix of URLs; the host of a Unix domain socket is `localhost`.
  public var base: String {
    switch self {
    case .url(let base): base
    case .unix: "http://localhost"
    }
  }

  /// Whether the service is on this machine, so that no proxy should be used.
  package var isLocal: Bool {
    guard case .url(let base) = self else { return true }
    let host = base.drop { $0 != "/" }.drop { $0 == "/" }
    return ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
  }
}

extension ServerAddress: CustomStringConvertible {
  /// The address in the form that `init(_:)` accepts.
  public var description: String {
    switch self {
    case .url(let base): base
    case .unix(let path): "unix:" + path
    }
  }
}
