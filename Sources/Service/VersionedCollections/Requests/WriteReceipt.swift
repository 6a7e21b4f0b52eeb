public import DeltaEngine

/// The result of a successful write.
public struct WriteReceipt: Sendable {
  /// The new head, or the last version of a deleted collection.
  public var version: VersionToken
  /// The previous head; nil if the collection did not exist.
  public var previous: VersionToken?
  /// Whether the content changed.
  public var isChanged: Bool
  /// Whether the collection was created.
  public var isCreated: Bool
  /// Whether the collection was deleted.
  public var isDeleted = false
  /// Whether this is the receipt of an earlier attempt with the same idempotency key.
  public var isReplayed = false
  /// The number of changes.
  public var counts: ChangeCounts
  /// The additional answer that was requested.
  public var answer: ReadAnswer?
}

/// The number of operations between two versions, including items of inserted and deleted sections.
public struct ChangeCounts: Hashable, Sendable {
  /// Inserted sections.
  public var sectionsInserted = 0
  /// Deleted sections.
  public var sectionsDeleted = 0
  /// Moved sections.
  public var sectionsMoved = 0
  /// Sections with a changed header.
  public var sectionsReloaded = 0
  /// Inserted items.
  public var inserted = 0
  /// Deleted items.
  public var deleted = 0
  /// Moved items.
  public var moved = 0
  /// Items with changed content.
  public var reloaded = 0

  /// Creates counts of zero.
  public init() {}

  /// Counts the changes of a delta.
  public init(_ changes: DeltaChanges) {
    sectionsInserted = changes.insertedSections.count
    sectionsDeleted = changes.deletedSections.count
    sectionsMoved = changes.movedSections.count
    sectionsReloaded = changes.reloadedSections.count
    inserted = changes.insertedItems.count
    deleted = changes.deletedItems.count
    moved = changes.movedItems.count
    reloaded = changes.reloadedItems.count
  }
}

extension WriteReceipt {
  /// Creates the receipt of a write that did not change the content.
  package init(unchanged version: VersionToken) {
    self.init(
      version: version, previous: version, isChanged: false, isCreated: false,
      counts: ChangeCounts(), answer: nil)
  }
}
