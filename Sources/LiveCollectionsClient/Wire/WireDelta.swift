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
  /// The contents of the items that came or changed, by id.
  public var items: [String: ReplicaItem] = [:]
  /// The headers of the sections that came or changed, by id; without items.
  public var sections: [String: ReplicaSection] = [:]
  /// The ids of the items that are gone.
  public var deleted: [String] = []
  /// The ids of the items of which a list inside them is all that changed.
  ///
  /// A replica has no use for such a change and asks for the whole content.
  public var nested: [String] = []
  /// What became of the collection's own content beside the sections.
  public var meta = MetaChange.none

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

/// What a delta does to the collection's own content beside the sections.
public enum MetaChange: Hashable, Sendable {
  /// It stays.
  case none
  /// It is gone.
  case removed
  /// It is this now, minified.
  case changed([UInt8])
}

/// One batch, its places in the index spaces of the engine's `DeltaStep`, its contents by id.
public struct WireStep: Hashable, Sendable {
  /// A section that comes.
  public struct SectionInsert: Hashable, Sendable {
    /// Its index after the step.
    public var at: SectionIndex<After>
    /// Its id.
    public var id: String
    /// The ids of the items that it has right after the step.
    public var items: [String]

    /// A section that comes at a place with its first items.
    public init(at: SectionIndex<After>, id: String, items: [String]) {
      self.at = at
      self.id = id
      self.items = items
    }
  }

  /// An item that comes.
  public struct ItemInsert: Hashable, Sendable {
    /// Its place after the step.
    public var at: ItemPath<After>
    /// Its id.
    public var id: String

    /// An item that comes at a place.
    public init(at: ItemPath<After>, id: String) {
      self.at = at
      self.id = id
    }
  }

  /// A section whose header changed.
  public struct SectionReload: Hashable, Sendable {
    /// Its index before the step.
    public var at: SectionIndex<Before>
    /// Its id.
    public var id: String

    /// A section that is drawn anew.
    public init(at: SectionIndex<Before>, id: String) {
      self.at = at
      self.id = id
    }
  }

  /// An item whose content changed.
  public struct ItemReload: Hashable, Sendable {
    /// Its place before the step.
    public var at: ItemPath<Before>
    /// Its id.
    public var id: String

    /// An item that is drawn anew.
    public init(at: ItemPath<Before>, id: String) {
      self.at = at
      self.id = id
    }
  }

  /// Sections that go, with all items still in them.
  public var deletedSections: [SectionIndex<Before>] = []
  /// Single items that go.
  public var deletedItems: [ItemPath<Before>] = []
  /// Sections that come.
  public var insertedSections: [SectionInsert] = []
  /// Single items that come.
  public var insertedItems: [ItemInsert] = []
  /// Sections that move.
  public var movedSections: [SectionMove] = []
  /// Items that move.
  public var movedItems: [ItemMove] = []
  /// Sections whose header changed.
  public var reloadedSections: [SectionReload] = []
  /// Items whose content changed.
  public var reloadedItems: [ItemReload] = []
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
