extension Principal {
  /// The distinct views imposed on the principal in a collection that it may read; empty if it sees all of it.
  ///
  /// Scopes add up: one scope without a view shows everything.
  package func imposedViews(client: String, name: String) -> [ImposedView] {
    imposedViews(.collection(.read, client: client, name: name))
  }

  /// The distinct views imposed by the scopes that meet a requirement.
  private func imposedViews(_ requirement: Requirement) -> [ImposedView] {
    guard imposesViews else { return [] }
    var views: [ImposedView] = []
    for scope in scopes where scope.meets(requirement) {
      guard let view = scope.view else { return [] }
      if !views.contains(view) { views.append(view) }
    }
    // An empty list would show everything.
    return views.isEmpty ? [.refused("no scope allows to read the collection")] : views
  }

  /// Whether another principal has the same views, if the requirement is for one collection.
  func hasSameViews(as other: Principal, _ requirement: Requirement) -> Bool {
    guard case .collection = requirement else { return true }
    return imposedViews(requirement) == other.imposedViews(requirement)
  }
}
