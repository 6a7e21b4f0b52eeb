import Authentication
import CollectionService
import HTTP1
import VersionedCollections

extension Route {
  /// Returns what a request of the resource requires.
  ///
  /// This depends only on the method and the names in the path. Collections named in the body or
  /// query are each required by ``RequestScope/require(_:_:of:)``.
  func requirement(_ method: HTTPMethod) -> Requirement {
    // A preflight carries no credential (Fetch, "CORS-preflight request").
    if method == .options { return .nothing }
    let access = isReading(method) ? Access.read : .write
    switch self {
    case .contract, .inspector, .webFile: return .nothing
    // Numbers about all clients.
    case .health: return .admin
    // The clients that it lists are those whose collections the credential may list.
    case .capabilities, .diff, .clients: return .credential
    case .changes: return .changes
    case .index(let client), .client(let client):
      return .allCollections(access, client: client.text)
    case .batch(let client), .sync(let client), .tickets(let client):
      return .someCollections(access, client: client.text)
    case .collection(let key), .delta(let key), .versions(let key), .settings(let key),
      .revert(let key):
      return .collection(access, client: key.client.text, name: key.name.text)
    }
  }
}
