extension Delta {
  /// The minimal, staged delta from one version of a sectioned list to another.
  ///
  /// - Parameters:
  ///   - source: The sections as they are; section ids unique, item ids unique over all sections.
  ///   - target: The sections as they shall be, likewise.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: O(n + m) expected for matching, O(k log k) for the k items that stay in a
  ///   section whose order changed.
  @inlinable
  public init<Section: DiffableSection>(
    from source: [Section], to target: [Section]
  ) throws(DuplicateIdentifier) {
    let matching = try Matching(from: source, to: target)
    self.init(matching)
  }

  /// The minimal delta from one version of a flat list to another, as section 0 of a sectioned one.
  ///
  /// - Parameters:
  ///   - source: The items as they are; ids unique.
  ///   - target: The items as they shall be, likewise.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: As `init(from:to:)`.
  @inlinable
  public init<Item: Diffable>(
    fromItems source: [Item], toItems target: [Item]
  ) throws(DuplicateIdentifier) {
    try self.init(
      from: [FlatSection(items: source)], to: [FlatSection(items: target)])
  }

  @usableFromInline
  init(_ matching: Matching) {
    let changes = DeltaChanges(matching)
    let staging = Staging(changes, matching)
    self.init(changes: changes, steps: staging.steps())
  }
}

/// The one section of a flat list.
@usableFromInline
struct FlatSection<Item: Diffable>: DiffableSection {
  @usableFromInline let items: [Item]
  @inlinable init(items: [Item]) { self.items = items }
  @inlinable var diffID: Int { 0 }
  @inlinable func hasSameContent(as other: Self) -> Bool { true }
}
