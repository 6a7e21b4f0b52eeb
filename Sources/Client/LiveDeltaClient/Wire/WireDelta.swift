public import DeltaEngine

/// A delta as the service sends it: steps that refer to ids, and the contents for those ids.
///
/// It is parsed but not validated: indices may be out of bounds until a replica has applied it.
public struct WireDelta: Hashable, Sendable {
  /// The collection's name.
  public var collection: String
  /// The version it starts from; empty in an answer of `POST /v1/diff`.
  public var from: String
  /// The version it ends at; empty in an answer of `POST /v1/diff`.
  public var to: String
  /// The sequence number of the version it ends at.
  public var seq: Int
  /// The batches, in order.
  public var steps: [WireStep] = []
  /// The contents of inserted and changed items, by id.
  public var items: [ReplicaID: ReplicaItem] = [:]
  /// Minified merge patches (RFC 7396) of changed items, by id, based on the items of `from`.
  public var itemPatches: [ReplicaID: [UInt8]] = [:]
  /// The headers of inserted and changed sections, by id, without items.
  public var sections: [ReplicaID: ReplicaSection] = [:]
  /// The ids of deleted items.
  public var deleted: [ReplicaID] = []
  /// The change of the collection's own content besides the sections.
  public var meta = MetaChange.none
  /// Whether a list view should animate the steps; if not, it should show the result directly.
  public var isAnimated = true
  /// The numbers of the view after the delta; `nil` without one.
  public var view: ViewNumbers?

  /// Creates an empty delta.
  public init(collection: String, from: String, to: String, seq: Int) {
    self.collection = collection
    self.from = from
    self.to = to
    self.seq = seq
  }

  /// The number of changes in all steps.
  public var operationCount: Int { steps.reduce(0) { $0 + $1.operationCount } }
}

/// The change of a collection's own content besides the sections.
public enum MetaChange: Hashable, Sendable {
  /// No change.
  case none
  /// The content was removed.
  case removed
  /// The new content, minified.
  case changed([UInt8])
}

/// One batch of changes, with the index spaces of the engine's `DeltaStep`, and contents by id.
public struct WireStep: Hashable, Sendable {
  /// An inserted section.
  public struct SectionInsert: Hashable, Sendable {
    /// The index after the step.
    public var at: SectionIndex<AfterSpace>
    /// The section's id.
    public var id: ReplicaID
    /// The ids of its items after the step.
    public var items: [ReplicaID]

    /// Creates an inserted section.
    public init(at: SectionIndex<AfterSpace>, id: ReplicaID, items: [ReplicaID]) {
      self.at = at
      self.id = id
      self.items = items
    }
  }

  /// A position, and the id of what is inserted or reloaded there.
  public struct Named<Place: Hashable & Sendable>: Hashable, Sendable {
    /// The position: after the step for an insertion, before it for a reload.
    public var at: Place
    /// The id of the section or item.
    public var id: ReplicaID

    /// Creates a position with an id.
    public init(at: Place, id: ReplicaID) {
      self.at = at
      self.id = id
    }
  }

  /// Deleted sections, including the items still in them.
  public var deletedSections: [SectionIndex<BeforeSpace>] = []
  /// Items deleted individually.
  public var deletedItems: [ItemPath<BeforeSpace>] = []
  /// Inserted sections.
  public var insertedSections: [SectionInsert] = []
  /// Items inserted individually.
  public var insertedItems: [Named<ItemPath<AfterSpace>>] = []
  /// Moved sections.
  public var movedSections: [SectionMove] = []
  /// Moved items.
  public var movedItems: [ItemMove] = []
  /// Sections whose header changed.
  public var reloadedSections: [Named<SectionIndex<BeforeSpace>>] = []
  /// Items whose content changed.
  public var reloadedItems: [Named<ItemPath<BeforeSpace>>] = []
  /// The number of items in each section after the step.
  public var counts: [Int] = []

  /// Creates an empty step.
  public init() {}

  /// The number of changes in the step.
  public var operationCount: Int {
    deletedSections.count + deletedItems.count + insertedSections.count + insertedItems.count
      + movedSections.count + movedItems.count + reloadedSections.count + reloadedItems.count
  }
}
