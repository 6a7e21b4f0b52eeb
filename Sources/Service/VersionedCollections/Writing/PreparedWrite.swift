import DeltaEngine
package import LiveCollections

/// The outcome of a write, to be applied after the commit; the collection has not changed yet.
package struct PreparedWrite: Sendable {
  package enum Effect: Sendable {
    /// The collection does not change, or the write failed.
    case none
    case create(CollectionState, PreparedVersion)
    /// The collection gets a new version.
    case update(PreparedVersion)
    /// The collection gets new settings that do not change what readers see.
    case configure(PreparedSettings)
    case delete
  }

  package let name: ResourceName
  package var effect = Effect.none
  /// The change to store; nil if there is none.
  package var stored: StoreTransaction.Change?
  package var result: Result<WriteReceipt, ServiceFailure>
  /// The state that the outcome rests on.
  package var base = Base()
  /// The number of elided items in the snapshot.
  package var unchangedItemCount = 0
  package var contentBytes = 0
  /// The approximate growth in memory in bytes; negative if memory is freed.
  package var addedBytes = 0

  /// The state that an outcome rests on.
  package struct Base: Sendable {
    /// The head; nil if the collection does not exist.
    package var head: VersionToken?
    /// The revision; nil if it does not matter.
    package var revision: Int?
    /// The number of items of the head, if it was loaded.
    package var itemCount = 0
    /// The collection's data, if it was loaded.
    package var data: CollectionSectionData<StructureSection>?

    package init() {}
  }

  /// Creates the outcome of a failed write.
  package init(_ name: ResourceName, _ failure: ServiceFailure) {
    self.name = name
    result = .failure(failure)
  }

  /// Creates the outcome of a successful write.
  package init(
    _ name: ResourceName, _ effect: Effect, _ stored: StoreTransaction.Change?,
    _ receipt: WriteReceipt
  ) {
    self.name = name
    self.effect = effect
    self.stored = stored
    result = .success(receipt)
  }

  package var receipt: WriteReceipt? {
    if case .success(let receipt) = result { receipt } else { nil }
  }

  package var failure: ServiceFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }

  /// The outcome if another write of the same atomic batch failed.
  package var notApplied: PreparedWrite {
    guard let receipt else { return self }
    var write = PreparedWrite(name, ServiceFailure(.notApplied, current: receipt.previous))
    write.base = base
    return write
  }

  package var entry: StoreTransaction.Entry? {
    stored.map {
      StoreTransaction.Entry(
        name: name, expected: receipt?.previous, expectedRevision: base.revision, change: $0)
    }
  }

  /// The entry for a store that others write to: it fails if the outcome rests on an old state.
  package var checkedEntry: StoreTransaction.Entry {
    entry
      ?? StoreTransaction.Entry(
        name: name, expected: base.head, expectedRevision: base.revision, change: .check)
  }

  /// The bytes of contents that only this write keeps in memory until it is committed.
  package var ownContentBytes: Int {
    switch effect {
    case .create(_, let version), .update(let version): version.contents.ownByteCount
    case .none, .configure, .delete: 0
    }
  }

  /// Whether the write succeeded without changing what readers see.
  package var isUnchanged: Bool {
    switch effect {
    case .none, .configure: failure == nil
    case .create, .update, .delete: false
    }
  }

  /// The entry in the feed of changes; nil if nothing changed.
  package var change: (version: VersionToken, isDeleted: Bool)? {
    switch effect {
    case .create, .update: receipt.map { ($0.version, false) }
    case .delete: receipt.map { ($0.version, true) }
    case .none, .configure: nil
    }
  }
}
