/// One batch of a delta: operations that are valid together in one `performBatchUpdates`.
///
/// Deletes and reloads ascend in the list before the step, inserts and moves (by destination) in
/// the list after it. Other sections and items keep their order and fill the remaining positions.
public struct DeltaStep: Hashable, Codable, Sendable {
  /// Deletions, in the list before the step.
  public struct Delete: Hashable, Codable, Sendable {
    /// Sections, deleted with all items still in them, ascending.
    public var sections: [SectionIndex<BeforeSpace>] = []
    /// Individual items, ascending; none is in a deleted section.
    public var items: [ItemPath<BeforeSpace>] = []

    /// Creates an empty set of deletions.
    public init() {}
  }

  /// Insertions, in the list after the step.
  public struct Insert: Hashable, Codable, Sendable {
    /// Sections with their first items, ascending by `at`.
    public var sections: [SectionInsert] = []
    /// Individual items, ascending by `at`.
    public var items: [ItemInsert] = []

    /// Creates an empty set of insertions.
    public init() {}
  }

  /// Moves, from the list before the step to the list after it.
  public struct Move: Hashable, Codable, Sendable {
    /// Sections, ascending by destination.
    public var sections: [SectionMove] = []
    /// Items, ascending by destination.
    public var items: [ItemMove] = []

    /// Creates an empty set of moves.
    public init() {}
  }

  /// Reloads in place, in the list before the step.
  public struct Reload: Hashable, Codable, Sendable {
    /// Sections whose header changed, ascending by `at`; their items are reloaded with them.
    public var sections: [SectionReload] = []
    /// Items whose content changed, ascending by `at`.
    public var items: [ItemReload] = []

    /// Creates an empty set of reloads.
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
  /// Sections whose header alone is shown again, in the list after the step, ascending: their cells stay.
  ///
  /// Empty unless the delta was made by ``Delta/separatingHeaders()``: a header that changes is a reload of its
  /// section otherwise.
  public var headers: [SectionIndex<AfterSpace>] = []
  /// The number of items in each section after the step.
  public var itemCounts: [Int] = []

  /// Creates an empty step.
  public init() {}

  /// The number of operations in the step.
  public var operationCount: Int {
    delete.sections.count + delete.items.count + insert.sections.count + insert.items.count
      + move.sections.count + move.items.count + reload.sections.count + reload.items.count
      + headers.count
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

extension DeltaStep {
  /// Decodes a step; one that was encoded before headers were updated alone has none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    delete = try container.decode(Delete.self, forKey: .delete)
    insert = try container.decode(Insert.self, forKey: .insert)
    move = try container.decode(Move.self, forKey: .move)
    reload = try container.decode(Reload.self, forKey: .reload)
    headers = try container.decodeIfPresent([SectionIndex].self, forKey: .headers) ?? []
    itemCounts = try container.decode([Int].self, forKey: .itemCounts)
  }
}

/// An inserted section with its first items.
public struct SectionInsert: Hashable, Codable, Sendable {
  /// The index after the step.
  public var at: SectionIndex<AfterSpace>
  /// The index in the target version.
  public var target: SectionIndex<TargetSpace>
  /// The items inserted with the section: indices in the target's section, ascending.
  public var items: [Int]

  /// Creates an inserted section with some of its items.
  public init(at: SectionIndex<AfterSpace>, target: SectionIndex<TargetSpace>, items: [Int]) {
    self.at = at
    self.target = target
    self.items = items
  }
}

/// A moved section.
public struct SectionMove: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The index before the step.
  public var from: SectionIndex<BeforeSpace>
  /// The index after the step.
  public var to: SectionIndex<AfterSpace>

  /// Creates a move.
  @inlinable public init(from: SectionIndex<BeforeSpace>, to: SectionIndex<AfterSpace>) {
    self.from = from
    self.to = to
  }
}

/// A section whose header changed.
public struct SectionReload: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The index before the step.
  public var at: SectionIndex<BeforeSpace>
  /// The index of the new content in the target version.
  public var target: SectionIndex<TargetSpace>

  /// Creates a reload.
  @inlinable public init(at: SectionIndex<BeforeSpace>, target: SectionIndex<TargetSpace>) {
    self.at = at
    self.target = target
  }
}

/// An inserted item.
public struct ItemInsert: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The position after the step.
  public var at: ItemPath<AfterSpace>
  /// The position of the content in the target version.
  public var target: ItemPath<TargetSpace>

  /// Creates an insertion.
  @inlinable public init(at: ItemPath<AfterSpace>, target: ItemPath<TargetSpace>) {
    self.at = at
    self.target = target
  }
}

/// A moved item.
public struct ItemMove: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The position before the step.
  public var from: ItemPath<BeforeSpace>
  /// The position after the step.
  public var to: ItemPath<AfterSpace>

  /// Creates a move.
  @inlinable public init(from: ItemPath<BeforeSpace>, to: ItemPath<AfterSpace>) {
    self.from = from
    self.to = to
  }
}

/// An item whose content changed.
public struct ItemReload: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The position before the step.
  public var at: ItemPath<BeforeSpace>
  /// The position of the new content in the target version.
  public var target: ItemPath<TargetSpace>

  /// Creates a reload.
  @inlinable public init(at: ItemPath<BeforeSpace>, target: ItemPath<TargetSpace>) {
    self.at = at
    self.target = target
  }
}
