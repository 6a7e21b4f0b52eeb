import Authentication
import CollectionService
import HTTP1
import VersionedCollections

extension Route {
  /// Whether anybody may read the resource of a public collection.
  var mayBePublic: Bool {
    switch self {
    case .collection(_, .collection), .collection(_, .delta): true
    default: false
    }
  }

  /// Returns what a request of the resource requires.
  ///
  /// This depends only on the method and the names in the path. Collections named in the body or
  /// query are each required by ``RequestScope/require(_:_:of:)``.
  func requirement(_ method: HTTPMethod) -> Requirement {
    // A preflight carries no credential (Fetch, "CORS-preflight request").
    if method == .options { return .nothing }
    let access = isReading(method) ? Access.read : .write
    switch self {
    case .webFile, .service(.contract), .service(.inspector): return .nothing
    // Numbers about all clients.
    case .service(.health): return .admin
    case .service(.changes): return .changes
    // The clients that a list has are those whose collections the credential may list.
    case .service: return .credential
    case .client(let client, .index), .client(let client, .client):
      return .allCollections(access, client: client.text)
    case .client(let client, _): return .someCollections(access, client: client.text)
    case .collection(let key, _):
      return .collection(access, client: key.client.text, name: key.name.text)
    }
  }
}
