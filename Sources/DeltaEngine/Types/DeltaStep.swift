/// One batch of a delta: operations that are legal in one `performBatchUpdates`.
///
/// Deletes and reloads ascend in the list before the step, inserts and moves (by destination) in
/// the list after it. Unmentioned sections and items keep their order and fill the places left.
public struct DeltaStep: Hashable, Codable, Sendable {
  /// Deletions, in the list before the step.
  public struct Delete: Hashable, Codable, Sendable {
    /// Sections, deleted with all items still in them; ascending.
    public var sections: [SectionIndex<Before>] = []
    /// Single items; ascending, none in a deleted section.
    public var items: [ItemPath<Before>] = []

    /// No deletions.
    public init() {}
  }

  /// Insertions, in the list after the step.
  public struct Insert: Hashable, Codable, Sendable {
    /// Sections with their first items; ascending by `at`.
    public var sections: [SectionInsert] = []
    /// Single items; ascending by `at`.
    public var items: [ItemInsert] = []

    /// No insertions.
    public init() {}
  }

  /// Moves, from the list before the step to the list after it.
  public struct Move: Hashable, Codable, Sendable {
    /// Sections; ascending by destination.
    public var sections: [SectionMove] = []
    /// Items; ascending by destination.
    public var items: [ItemMove] = []

    /// No moves.
    public init() {}
  }

  /// Reloads in place, in the list before the step.
  public struct Reload: Hashable, Codable, Sendable {
    /// Sections whose header changed, ascending by `at`; their items are reloaded with them.
    public var sections: [SectionReload] = []
    /// Items whose content changed; ascending by `at`.
    public var items: [ItemReload] = []

    /// No reloads.
    public init() {}
  }

  /// Deletions.
  public var delete = Delete()
  /// Insertions.
  public var insert = Insert()
  /// Moves.
  public var move = Move()
  /// Reloads.
  public var reload = Reload()
  /// The number of items in each section after the step.
  public var itemCounts: [Int] = []

  /// A step that does nothing yet.
  public init() {}

  /// The number of operations in the step.
  public var operationCount: Int {
    delete.sections.count + delete.items.count + insert.sections.count + insert.items.count
      + move.sections.count + move.items.count + reload.sections.count + reload.items.count
  }

  /// Whether the step inserts, deletes or moves a section.
  public var hasSectionOperations: Bool {
    !(delete.sections.isEmpty && insert.sections.isEmpty && move.sections.isEmpty)
  }

  /// Whether the step inserts, deletes or moves an item.
  public var hasItemOperations: Bool {
    !(delete.items.isEmpty && insert.items.isEmpty && move.items.isEmpty)
  }
}

/// An inserted section with its first items.
public struct SectionInsert: Hashable, Codable, Sendable {
  /// Its index after the step.
  public var at: SectionIndex<After>
  /// Its index in the target version.
  public var target: SectionIndex<Target>
  /// The items it has right after the step: indices into the target's section, ascending.
  public var items: [Int]

  /// An inserted section with some of its items.
  public init(at: SectionIndex<After>, target: SectionIndex<Target>, items: [Int]) {
    self.at = at
    self.target = target
    self.items = items
  }
}

/// A moved section.
public struct SectionMove: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its index before the step.
  public var from: SectionIndex<Before>
  /// Its index after the step.
  public var to: SectionIndex<After>

  /// A move from one index to another.
  @inlinable public init(from: SectionIndex<Before>, to: SectionIndex<After>) {
    self.from = from
    self.to = to
  }
}

/// A section whose header changed.
public struct SectionReload: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its index before the step.
  public var at: SectionIndex<Before>
  /// Its index in the target version, where its new content is.
  public var target: SectionIndex<Target>

  /// A reloaded section.
  @inlinable public init(at: SectionIndex<Before>, target: SectionIndex<Target>) {
    self.at = at
    self.target = target
  }
}

/// An inserted item.
public struct ItemInsert: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its place after the step.
  public var at: ItemPath<After>
  /// Its place in the target version, where its content is.
  public var target: ItemPath<Target>

  /// An inserted item.
  @inlinable public init(at: ItemPath<After>, target: ItemPath<Target>) {
    self.at = at
    self.target = target
  }
}

/// A moved item.
public struct ItemMove: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its place before the step.
  public var from: ItemPath<Before>
  /// Its place after the step.
  public var to: ItemPath<After>

  /// A move from one place to another.
  @inlinable public init(from: ItemPath<Before>, to: ItemPath<After>) {
    self.from = from
    self.to = to
  }
}

/// An item whose content changed.
public struct ItemReload: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its place before the step.
  public var at: ItemPath<Before>
  /// Its place in the target version, where its new content is.
  public var target: ItemPath<Target>

  /// A reloaded item.
  @inlinable public init(at: ItemPath<Before>, target: ItemPath<Target>) {
    self.at = at
    self.target = target
  }
}
