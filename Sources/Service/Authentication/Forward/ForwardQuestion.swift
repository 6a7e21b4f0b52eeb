/// The question to the backend whether a caller may read, or write, a collection.
package struct ForwardQuestion: Sendable {
  /// What the caller wants to do.
  package let access: Access
  /// The client that the collection belongs to.
  package let client: String
  /// The collection; nil for all collections of the client.
  package let collection: String?
  /// The value of the caller's `Authorization` field.
  package let authorization: [UInt8]?
  /// The cookies by which the backend knows the caller, as one `Cookie` field has them.
  package let cookie: [UInt8]?
  /// The network that the request came from; 0 for none.
  let network: UInt64
  /// The fields that continue the trace of the request; they say nothing about the caller.
  package var traceFields: [(name: String, value: String)] = []

  /// The question for a request.
  ///
  /// - Returns: nil if the caller sends neither field, or needs something else than collections.
  init?(
    _ authorization: ArraySlice<UInt8>?, cookie: [UInt8]?, network: UInt64 = 0,
    _ requirement: Requirement
  ) {
    guard authorization != nil || cookie != nil else { return nil }
    switch requirement {
    case .nothing, .credential, .changes, .admin, .administration: return nil
    case .collection(let access, let client, let name):
      (self.access, self.client, collection) = (access, client, name)
    case .someCollections(let access, let client), .allCollections(let access, let client):
      (self.access, self.client, collection) = (access, client, nil)
    }
    self.authorization = authorization.map { Array($0) }
    self.cookie = cookie
    self.network = network
  }

  /// Identifies equal questions; it has no secret.
  var key: Key {
    Key(
      caller: CredentialHash(authorization?[...], cookie?[...]), access: access, client: client,
      collection: collection)
  }

  struct Key: Hashable {
    let caller: CredentialHash
    let access: Access
    let client: String
    let collection: String?
  }

  /// The principal of a caller with a positive verdict.
  ///
  /// - Parameters:
  ///   - expires: When the verdict ends, in seconds since 1970.
  ///   - answered: When the backend gave it.
  ///   - view: The restriction of the caller; nil if it sees everything.
  /// - Returns: The principal.
  func principal(until expires: Int64, answered: Int64, seeing view: ImposedView?) -> Principal {
    let pattern = Scope.Pattern(
      client: Glob(exactly: client), collection: collection.map { Glob(exactly: $0) } ?? .all,
      view: view)
    return Principal(
      name: "forward:\(key.caller.hashValue)", scopes: [.collections(access, pattern)],
      expires: expires, source: .forward(answered: answered))
  }
}
