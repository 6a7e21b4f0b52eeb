import DeltaEngine
import LiveCollections

/// The result of a write, to be applied once it is committed; the collection has not changed yet.
struct PreparedWrite: Sendable {
  /// What becomes of the collection.
  enum Effect: Sendable {
    /// Nothing: it stays as it is, or the write failed.
    case none
    /// It is new.
    case create(CollectionState, PreparedVersion)
    /// It has a next version.
    case update(PreparedVersion)
    /// It has other settings, which change nothing that is shown.
    case configure(PreparedSettings)
    /// It goes.
    case delete
  }

  let name: ResourceName
  var effect = Effect.none
  /// The store's part; nil when there is nothing to store.
  var stored: StoreTransaction.Change?
  var result: Result<WriteReceipt, ServiceFailure>
  /// How many items of the snapshot were left out, being known.
  var unchangedItemCount = 0
  /// The bytes of the contents that it is about.
  var contentBytes = 0
  /// About how many bytes of memory it will add; negative when it frees some.
  var addedBytes = 0

  /// A write that failed.
  init(_ name: ResourceName, _ failure: ServiceFailure) {
    self.name = name
    result = .failure(failure)
  }

  /// A write that will be carried out as its effect says.
  init(
    _ name: ResourceName, _ effect: Effect, _ stored: StoreTransaction.Change?,
    _ receipt: WriteReceipt
  ) {
    self.name = name
    self.effect = effect
    self.stored = stored
    result = .success(receipt)
  }

  var receipt: WriteReceipt? { try? result.get() }

  var failure: ServiceFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }

  /// What is left of it when another write of an atomic batch failed.
  var notApplied: PreparedWrite {
    guard let receipt else { return self }
    return PreparedWrite(name, ServiceFailure(.notApplied, current: receipt.previous))
  }

  /// The store's entry.
  var entry: StoreTransaction.Entry? {
    stored.map { StoreTransaction.Entry(name: name, expected: receipt?.previous, change: $0) }
  }

  /// The bytes of contents that are in memory for it alone until it is committed.
  var ownContentBytes: Int {
    switch effect {
    case .create(_, let version), .update(let version): version.contents.ownByteCount
    case .none, .configure, .delete: 0
    }
  }

  /// Whether the collection stays as readers see it.
  var isUnchanged: Bool {
    switch effect {
    case .none, .configure: failure == nil
    case .create, .update, .delete: false
    }
  }

  /// The entry for the feed of changes; nil when nothing changed.
  var change: (version: VersionToken, isDeleted: Bool)? {
    switch effect {
    case .create, .update: receipt.map { ($0.version, false) }
    case .delete: receipt.map { ($0.version, true) }
    case .none, .configure: nil
    }
  }
}

/// A version that is ready to be shown as soon as it is durable.
struct PreparedVersion: Sendable {
  let update: PreparedUpdate<StructureSection>
  let record: VersionRecord
  let contents: Contents
  let ids: IDTable
  /// What is shown under another hash than its content's.
  var overrides = HashOverrides()
  /// The lists inside its items.
  var nested = NestedLists()
  /// About how much memory those take.
  var nestedBytes = 0
  /// Settings that come with it; nil when they stay.
  var settings: CollectionSettings?
  /// What leads back to the version before; nil for the first.
  var back: (structure: StructurePatch, nested: NestedPatch)?
  /// The items of the version before that it has otherwise.
  var replaced = ReplacedItems.Batch()

  var sections: [StructureSection] { update.content }

  /// What leads to it from the version before.
  var delta: Delta { update.delta }

  /// About how much memory it takes.
  var byteCount: Int { CollectionState.byteCount(contents, ids, nestedBytes) }
}

/// Other settings that change nothing that is shown, and how what is shown is compared by them.
struct PreparedSettings: Sendable {
  var settings: CollectionSettings
  var overrides: HashOverrides
  var nested: NestedLists
  /// About how much memory the lists take.
  var nestedBytes: Int
  var ids: IDTable
}
