extension Principal {
  /// What it may see of a collection that it may read; nil for all of it.
  ///
  /// Scopes add up: one that imposes no view allows to see all. Of several views the first one counts.
  package func imposedViews(client: String, name: String) -> [ImposedView] {
    guard imposesViews else { return [] }
    return [imposedView(.collection(.read, client: client, name: name))].compactMap(\.self)
  }

  /// What it may see of the collection that it must be able to read; nil for all of it.
  func imposedView(_ requirement: Requirement) -> ImposedView? {
    var first: ImposedView?
    for case .collections(let access, let pattern) in scopes
    where Scope.collections(access, pattern).meets(requirement) {
      guard let view = pattern.view else { return nil }
      first = first ?? view
    }
    return first
  }

  /// Whether it may see as much as another principal of what a request requires.
  func sees(_ requirement: Requirement, as other: Principal) -> Bool {
    guard imposesViews || other.imposesViews else { return true }
    return imposedView(requirement) == other.imposedView(requirement)
  }
}
