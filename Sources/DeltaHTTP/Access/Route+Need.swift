import Authentication
import CollectionService
import HTTP1

extension Route {
  /// What a request of the resource needs: the table of routes and scopes.
  ///
  /// Everything here is found by the names in the path; where the body or the query names collections,
  /// each of them is required by ``RequestScope/require(_:_:of:)``.
  func need(_ method: HTTPMethod) -> Need {
    // A preflight comes without a credential (Fetch, "CORS-preflight request").
    if method == .options { return .nothing }
    let access = isReading(method) ? Access.read : .write
    switch self {
    case .contract, .inspector, .webFile: return .nothing
    // Numbers of all clients.
    case .health: return .admin
    case .capabilities, .diff: return .credential
    case .changes: return .changes
    case .index(let client), .client(let client):
      return .allCollections(access, client: client.text)
    case .batch(let client), .sync(let client):
      return .someCollections(access, client: client.text)
    case .collection(let key), .delta(let key), .versions(let key), .settings(let key),
      .revert(let key):
      return .collection(access, client: key.client.text, name: key.name.text)
    }
  }
}

extension OperationsRoutes {
  /// What a request of the operations listener needs.
  static func need(_ method: HTTPMethod, _ path: String) -> Need {
    switch path {
    case "/livez", "/readyz": .nothing
    default: method == .options ? .nothing : .admin
    }
  }
}
