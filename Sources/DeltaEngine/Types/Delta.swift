/// What turns one version of a sectioned list into another.
///
/// `changes` says what differs, between the source and the target version; `steps` says how a list
/// view gets from one to the other in at most four legal batches.
///
/// ```swift
/// let delta = try Delta(from: held, to: wanted)
/// for step in delta.steps { view.perform(step) }
/// ```
public struct Delta: Hashable, Codable, Sendable {
  /// What differs between the two versions.
  public var changes: DeltaChanges

  /// The batches, in order; empty when nothing differs.
  public var steps: [DeltaStep]

  /// The number of items in each section of the source; empty when nothing differs.
  public var sourceItemCounts: [Int]

  /// The number of items in each section of the target; empty when nothing differs.
  public var targetItemCounts: [Int]

  /// The delta between equal versions.
  public static let empty = Delta(
    changes: DeltaChanges(), steps: [], sourceItemCounts: [], targetItemCounts: [])

  /// A delta of changes and their staging.
  ///
  /// They are not checked here; deriving from a delta whose changes do not fit its counts (its
  /// inverse, its index map, …) traps.
  ///
  /// - Parameters:
  ///   - changes: What differs.
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

  /// How many sections and items were deleted, inserted, moved or changed.
  public var changeCount: Int { changes.count }
}

/// What differs between two versions, in their own index spaces.
///
/// An item that both moved and changed is in `movedItems` and in `reloadedItems`. Moves are
/// minimal: per section all but a longest common order of the items that stay in it, and each item
/// that changes its section once; of the sections, all but a longest common order.
public struct DeltaChanges: Hashable, Codable, Sendable {
  /// Deleted sections; ascending.
  public var deletedSections: [SectionIndex<Source>] = []
  /// Inserted sections; ascending.
  public var insertedSections: [SectionIndex<Target>] = []
  /// Moved sections; ascending by target.
  public var movedSections: [SectionIndexPair] = []
  /// Sections in both versions whose header's content differs; ascending by target.
  public var reloadedSections: [SectionIndexPair] = []

  /// Deleted items, also those of deleted sections; ascending.
  public var deletedItems: [ItemPath<Source>] = []
  /// Inserted items, also those of inserted sections; ascending.
  public var insertedItems: [ItemPath<Target>] = []
  /// Moved items; ascending by target.
  public var movedItems: [ItemPathPair] = []
  /// Items in both versions whose content differs; ascending by target.
  public var reloadedItems: [ItemPathPair] = []

  /// No change.
  public init() {}

  /// The number of all changes.
  public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count + reloadedSections.count
      + deletedItems.count + insertedItems.count + movedItems.count + reloadedItems.count
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { count == 0 }

  /// Whether a section was deleted, inserted or moved.
  public var hasSectionOperations: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty)
  }
}

/// A section's index in both versions.
public struct SectionIndexPair: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its index in the source version.
  public var source: SectionIndex<Source>
  /// Its index in the target version.
  public var target: SectionIndex<Target>

  /// A section's two indices.
  @inlinable public init(source: SectionIndex<Source>, target: SectionIndex<Target>) {
    self.source = source
    self.target = target
  }
}

/// An item's place in both versions.
public struct ItemPathPair: Hashable, Codable, Sendable, BitwiseCopyable {
  /// Its place in the source version.
  public var source: ItemPath<Source>
  /// Its place in the target version.
  public var target: ItemPath<Target>

  /// An item's two places.
  @inlinable public init(source: ItemPath<Source>, target: ItemPath<Target>) {
    self.source = source
    self.target = target
  }
}
