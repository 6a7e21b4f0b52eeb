/// What the names that a pattern matches have in common.
public enum NameBounds: Hashable, Sendable {
  /// There is only this one.
  case only(String)
  /// They begin with this text; not every name that does is matched.
  case prefix(String)
}

extension Principal {
  /// Bounds of the clients that it may list, one for each pattern, which may overlap.
  public var listedClients: [NameBounds] {
    if meets(.admin) { return [.prefix("")] }
    return scopes.compactMap { scope in
      guard case .collections(_, let pattern) = scope, pattern.collection.matchesAll else {
        return nil
      }
      return pattern.client.bounds
    }
  }

  /// Whether it may list a client: operators list all, others those that they may read all of.
  public func lists(_ client: String) -> Bool {
    meets(.admin) || meets(.allCollections(.read, client: client))
  }
}

extension Glob {
  /// The bounds of the names that it matches.
  fileprivate var bounds: NameBounds {
    let literal = text.prefix { $0 != "*" }
    return literal.count == text.count ? .only(text) : .prefix(String(literal))
  }
}
