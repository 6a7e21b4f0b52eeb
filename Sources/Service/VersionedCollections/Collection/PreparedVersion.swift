package import DeltaEngine
package import LiveCollections

/// A version that becomes the head once it is durable.
package struct PreparedVersion: Sendable {
  package let update: PreparedUpdate<StructureSection>
  package let record: VersionRecord
  package let contents: Contents
  package let ids: IDTable
  /// Items that keep a hash other than that of their contents.
  package var overrides = HashOverrides()
  /// New settings; nil if they do not change.
  package var settings: CollectionSettings?
  /// The reverse patch to the previous version; nil for the first version.
  var back: StructurePatch?
  var replaced = ReplacedItems.Batch()
  /// The items that it touches, if they are few and nothing else is other than before.
  var touched: TouchedItems?

  package var sections: [StructureSection] { update.content }

  package var delta: Delta { update.delta }

  package var byteCount: Int { Self.byteCount(contents, ids, overrides) }

  /// The approximate size in bytes of a version with its IDs.
  package static func byteCount(
    _ contents: Contents, _ ids: IDTable, _ overrides: HashOverrides
  ) -> Int {
    contents.capacityBytes + contents.itemCount * MemoryLayout<StructureItem>.stride
      + contents.headerPlaces.count * (MemoryLayout<StructureSection>.stride + HeapCost.array)
      + ids.capacityBytes + overrides.byteCount
  }
}

/// New settings that do not change what readers see, and the overrides that keep it unchanged.
package struct PreparedSettings: Sendable {
  package var settings: CollectionSettings
  package var overrides: HashOverrides
  package var ids: IDTable
}
