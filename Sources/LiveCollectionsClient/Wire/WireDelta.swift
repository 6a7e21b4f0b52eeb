public import DeltaEngine

/// A delta as the service sends it: steps that name ids, and the contents that go with them.
///
/// Parsed but not yet trusted: indices may point anywhere until a replica has applied it.
public struct WireDelta: Hashable, Sendable {
  /// The collection's name.
  public var collection: String
  /// The version that it starts from; empty in an answer of `POST /v1/diff`.
  public var from: String
  /// The version that it ends at; likewise.
  public var to: String
  /// The number of the version that it ends at.
  public var seq: Int
  /// The batches, in order.
  public var steps: [WireStep] = []
  /// The contents of new and changed items, by id.
  public var items: [String: ReplicaItem] = [:]
  /// Merge patches (RFC 7396) of changed items, by id, minified: of the items that `from` has.
  public var itemPatches: [String: [UInt8]] = [:]
  /// The headers of new and changed sections, by id; without items.
  public var sections: [String: ReplicaSection] = [:]
  /// The ids of deleted items.
  public var deleted: [String] = []
  /// The ids of the items of which a list inside them is all that changed.
  ///
  /// A replica has no use for such a change and asks for the whole content.
  public var nested: [String] = []
  /// The change of the collection's own content beside the sections.
  public var meta = MetaChange.none
  /// Whether a list shows the steps as they go; if not, it shows what they come to.
  public var isAnimated = true

  /// A delta that does nothing.
  public init(collection: String, from: String, to: String, seq: Int) {
    self.collection = collection
    self.from = from
    self.to = to
    self.seq = seq
  }

  /// The number of operations in all steps.
  public var operationCount: Int { steps.reduce(0) { $0 + $1.operationCount } }
}

/// The change of a collection's own content beside the sections.
public enum MetaChange: Hashable, Sendable {
  /// No change.
  case none
  /// It was removed.
  case removed
  /// The new content, minified.
  case changed([UInt8])
}

/// One batch, its places in the index spaces of the engine's `DeltaStep`, its contents by id.
public struct WireStep: Hashable, Sendable {
  /// An inserted section.
  public struct SectionInsert: Hashable, Sendable {
    /// Its index after the step.
    public var at: SectionIndex<After>
    /// Its id.
    public var id: String
    /// The ids of the items that it has right after the step.
    public var items: [String]

    /// An inserted section.
    public init(at: SectionIndex<After>, id: String, items: [String]) {
      self.at = at
      self.id = id
      self.items = items
    }
  }

  /// A place and the id of what is inserted or reloaded there.
  public struct Named<Place: Hashable & Sendable>: Hashable, Sendable {
    /// The place: of an insert after the step, of a reload before it.
    public var at: Place
    /// The id.
    public var id: String

    /// Names what is inserted or reloaded.
    public init(at: Place, id: String) {
      self.at = at
      self.id = id
    }
  }

  /// Deleted sections, with all items still in them.
  public var deletedSections: [SectionIndex<Before>] = []
  /// Items that are deleted one by one.
  public var deletedItems: [ItemPath<Before>] = []
  /// Inserted sections.
  public var insertedSections: [SectionInsert] = []
  /// Items that are inserted one by one.
  public var insertedItems: [Named<ItemPath<After>>] = []
  /// Moved sections.
  public var movedSections: [SectionMove] = []
  /// Moved items.
  public var movedItems: [ItemMove] = []
  /// Sections whose header changed.
  public var reloadedSections: [Named<SectionIndex<Before>>] = []
  /// Items whose content changed.
  public var reloadedItems: [Named<ItemPath<Before>>] = []
  /// The number of items in each section after the step.
  public var counts: [Int] = []

  /// A step that does nothing yet.
  public init() {}

  /// The number of operations in the step.
  public var operationCount: Int {
    deletedSections.count + deletedItems.count + insertedSections.count + insertedItems.count
      + movedSections.count + movedItems.count + reloadedSections.count + reloadedItems.count
  }
}
