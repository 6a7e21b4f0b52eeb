extension Principal {
  /// Bounds of the clients that it may list, one for each pattern, which may overlap.
  package var listedClients: [NameBounds] {
    if meets(.admin) { return [.prefix("")] }
    return scopes.compactMap { scope in
      guard case .collections(_, let pattern) = scope, pattern.collection.matchesAll,
        pattern.view == nil
      else { return nil }
      return pattern.client.bounds
    }
  }

  /// Whether it may list a client: operators list all, others those that they may read all of.
  package func lists(_ client: String) -> Bool {
    meets(.admin) || meets(.allCollections(.read, client: client))
  }
}
