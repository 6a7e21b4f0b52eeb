import Authentication
import CollectionService
import HTTP1
import VersionedCollections

/// A resource of the operations listener.
enum OperationsRoute: Hashable, Sendable {
  case liveness
  case readiness
  case writeReadiness
  case metrics
  case drain
  case compact
  case clients
  case client(ResourceName)

  /// Finds the resource that a raw path names; `nil` if there is none.
  init?(path: ArraySlice<UInt8>) {
    let segments = path.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Segment($0) }
    guard path.first == UInt8(ascii: "/"), let first = segments.first else { return nil }
    switch segments.count {
    case 1 where first == "livez": self = .liveness
    case 1 where first == "readyz": self = .readiness
    case 2 where first == "readyz" && segments[1] == "writes": self = .writeReadiness
    case 1 where first == "metrics": self = .metrics
    case 1 where first == "drain": self = .drain
    case 1 where first == "compact": self = .compact
    case 1 where first == "clients": self = .clients
    case 2 where first == "clients":
      // An error means that the path names no client: 404.
      guard let client = try? segments[1].name() else { return nil }
      self = .client(client)
    default: return nil
    }
  }

  /// The methods that it allows, besides `OPTIONS`.
  var methods: [HTTPMethod] {
    switch self {
    case .liveness, .readiness, .writeReadiness, .metrics, .clients: [.get, .head]
    case .drain, .compact: [.post]
    case .client: [.get, .head, .delete]
    }
  }

  /// Whether it tells only that the service runs.
  var isHealthCheck: Bool {
    switch self {
    case .liveness, .readiness, .writeReadiness: true
    default: false
    }
  }
}

extension OperationsRoute {
  /// Returns what a request to the operations listener requires.
  ///
  /// Contents of clients take a scope for them, too: a monitor that has `admin` sees none.
  func requirement(_ method: HTTPMethod) -> Requirement {
    if method == .options { return .nothing }
    switch self {
    case .liveness, .readiness, .writeReadiness: return .nothing
    case .metrics, .drain, .compact, .clients: return .admin
    case .client(let client):
      return isReading(method) ? .admin : .administration(.write, client: client.text)
    }
  }

  private func isReading(_ method: HTTPMethod) -> Bool { method == .get || method == .head }
}
