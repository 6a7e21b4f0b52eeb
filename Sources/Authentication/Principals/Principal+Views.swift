extension Principal {
  /// The restrictions on what it sees of a collection that it may read, each once; none if it sees all of it.
  ///
  /// Scopes add up: with one that imposes no view it sees all.
  package func imposedViews(client: String, name: String) -> [ImposedView] {
    imposedViews(.collection(.read, client: client, name: name))
  }

  /// The restrictions on what it sees of the collection that a requirement is about.
  private func imposedViews(_ requirement: Requirement) -> [ImposedView] {
    guard imposesViews else { return [] }
    var views: [ImposedView] = []
    for scope in scopes where scope.meets(requirement) {
      guard let view = scope.view else { return [] }
      if !views.contains(view) { views.append(view) }
    }
    // An empty list would allow all.
    return views.isEmpty ? [.refused("no scope allows to read the collection")] : views
  }

  /// Whether it sees the same as another principal of the collection that a requirement is about, if it is about one.
  func sees(_ requirement: Requirement, as other: Principal) -> Bool {
    guard case .collection = requirement else { return true }
    return imposedViews(requirement) == other.imposedViews(requirement)
  }
}
