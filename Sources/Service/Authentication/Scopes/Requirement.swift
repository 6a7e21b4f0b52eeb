/// What a request requires, found by its route and method alone.
package enum Requirement: Hashable, Sendable {
  /// Nothing: it tells nobody's data and changes nothing.
  case nothing
  case credential
  case changes
  case admin
  /// What operators do with all that a client has; it takes scopes for both.
  case administration(Access, client: String)
  case collection(Access, client: String, name: String)
  /// At least one collection of a client; those that the request names are looked at one by one.
  case someCollections(Access, client: String)
  /// All collections of a client, those that do not exist included.
  case allCollections(Access, client: String)
}

extension Scope {
  /// Whether it alone meets a requirement.
  ///
  /// - Complexity: O(*n* · *m*), the lengths of a name and a pattern; both at most 128 bytes.
  package func meets(_ requirement: Requirement) -> Bool {
    switch (self, requirement) {
    case (_, .nothing), (_, .credential), (.changes, .changes), (.admin, .admin): true
    // What is seen through a view is never written.
    case (.collections(_, let pattern), .collection(.write, _, _)) where pattern.view != nil: false
    case (.collections(let access, let pattern), .collection(let wanted, let client, let name)):
      access.includes(wanted) && pattern.client.matches(client)
        && pattern.collection.matches(name)
    case (.collections(_, let pattern), .someCollections(.write, _)) where pattern.view != nil:
      false
    case (.collections(let access, let pattern), .someCollections(let wanted, let client)):
      access.includes(wanted) && pattern.client.matches(client)
    case (.collections(let access, let pattern), .allCollections(let wanted, let client)):
      // Lists have numbers of all that is in a collection.
      access.includes(wanted) && pattern.client.matches(client) && pattern.collection.matchesAll
        && pattern.view == nil
    default: false
    }
  }
}

extension Access {
  func includes(_ other: Access) -> Bool { self == .write || other == .read }
}
