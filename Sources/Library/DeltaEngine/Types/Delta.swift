/// The difference between two versions of a sectioned list.
///
/// `changes` describes the difference between the source and the target version; `steps` takes a
/// list view from one to the other in at most four valid batches.
///
/// ```swift
/// let delta = try Delta(from: held, to: wanted)
/// for step in delta.steps { print(step.delete.items, step.insert.items, step.move.items) }
/// ```
public struct Delta: Hashable, Codable, Sendable {
  /// The changes between the two versions.
  public var changes: DeltaChanges

  /// The batches in order; empty if the versions are equal.
  public var steps: [DeltaStep]

  /// The number of items in each section of the source; empty if the versions are equal.
  public var sourceItemCounts: [Int]

  /// The number of items in each section of the target; empty if the versions are equal.
  public var targetItemCounts: [Int]

  /// The delta between equal versions.
  public static let empty = Delta(
    changes: DeltaChanges(), steps: [], sourceItemCounts: [], targetItemCounts: [])

  /// Creates a delta from changes and the steps that perform them.
  ///
  /// They are not validated here; deriving anything (the inverse, the index map, …) from a delta
  /// whose changes do not fit its counts traps.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - steps: The batches that lead from the source to the target.
  ///   - sourceItemCounts: The number of items in each section of the source.
  ///   - targetItemCounts: The number of items in each section of the target.
  public init(
    changes: DeltaChanges, steps: [DeltaStep], sourceItemCounts: [Int], targetItemCounts: [Int]
  ) {
    self.changes = changes
    self.steps = steps
    self.sourceItemCounts = sourceItemCounts
    self.targetItemCounts = targetItemCounts
  }

  /// Whether the two versions are equal.
  public var isEmpty: Bool { steps.isEmpty }

  /// The number of deleted, inserted, moved and reloaded sections and items.
  public var changeCount: Int { changes.count }
}

/// The changes between two versions, in the index spaces of those versions.
///
/// An item that moved and changed is in both `movedItems` and `reloadedItems`. Moves are minimal:
/// in each section, all items that stay in it except a longest common order, and each item that
/// changes its section once; of the sections, all except a longest common order.
public struct DeltaChanges: Hashable, Codable, Sendable {
  /// Deleted sections, ascending.
  public var deletedSections: [SectionIndex<SourceSpace>] = []
  /// Inserted sections, ascending.
  public var insertedSections: [SectionIndex<TargetSpace>] = []
  /// Moved sections, ascending by target.
  public var movedSections: [SectionIndexPair] = []
  /// Sections in both versions whose headers differ in content, ascending by target.
  public var reloadedSections: [SectionIndexPair] = []

  /// Deleted items, including those of deleted sections, ascending.
  public var deletedItems: [ItemPath<SourceSpace>] = []
  /// Inserted items, including those of inserted sections, ascending.
  public var insertedItems: [ItemPath<TargetSpace>] = []
  /// Moved items, ascending by target.
  public var movedItems: [ItemPathPair] = []
  /// Items in both versions that differ in content, ascending by target.
  public var reloadedItems: [ItemPathPair] = []

  /// Creates empty changes.
  public init() {}

  /// The total number of changes.
  public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count + reloadedSections.count
      + deletedItems.count + insertedItems.count + movedItems.count + reloadedItems.count
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { count == 0 }

  /// Whether a section is deleted, inserted or moved.
  public var hasSectionOperations: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty)
  }
}

/// The index of a section in both versions.
public struct SectionIndexPair: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The index in the source version.
  public var source: SectionIndex<SourceSpace>
  /// The index in the target version.
  public var target: SectionIndex<TargetSpace>

  /// Creates a pair of indices.
  @inlinable public init(source: SectionIndex<SourceSpace>, target: SectionIndex<TargetSpace>) {
    self.source = source
    self.target = target
  }
}

/// The position of an item in both versions.
public struct ItemPathPair: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The position in the source version.
  public var source: ItemPath<SourceSpace>
  /// The position in the target version.
  public var target: ItemPath<TargetSpace>

  /// Creates a pair of positions.
  @inlinable public init(source: ItemPath<SourceSpace>, target: ItemPath<TargetSpace>) {
    self.source = source
    self.target = target
  }
}
