package import DeltaEngine
package import SnapshotJSON

package struct ParsedSnapshot: Sendable {
  package let snapshot: Snapshot
  /// The hash of `meta`; nil if it is missing or `null`.
  package let meta: ContentHash?
  /// The settings it was read with: its own if it has some, otherwise the collection's.
  package let settings: CollectionSettings
  /// Whether a writer sent it, as opposed to a patch producing it.
  var isSent = true
  /// The items elided because the head has them; nil if the body was read in full.
  package var unchanged: UnchangedItems?

  /// The number of elided items.
  package var unchangedItemCount: Int { unchanged?.count ?? 0 }

  /// Reads a snapshot from a body, by the collection's settings unless the body has its own.
  package static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits,
    settings: CollectionSettings?, pointer: String = ""
  ) throws(ServiceError) -> ParsedSnapshot {
    try read(reader.document(body).content, limits, settings: settings, pointer: pointer)
  }

  /// Reads only those parts of a body that differ from a collection.
  ///
  /// Returns nil if the body must be read in full: the head has no items to elide, the settings
  /// differ, the body is invalid, or an item that was read has the id of an elided one.
  package static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits, beside state: CollectionState
  ) -> ParsedSnapshot? {
    // An error means that the whole body is read, which tells what is wrong with it.
    guard state.hasElidableItems,
      let text = ElidedText.shortened(body, known: state.contents),
      let root = reader.root(of: text.bytes),
      // An error means the same.
      var parsed = try? read(
        root, limits, settings: state.settings, markers: text.markers),
      parsed.settings == state.settings,
      !state.ids.repeats(parsed.snapshot, beside: text.unchanged, of: state.sections)
    else { return nil }
    parsed.unchanged = text.unchanged
    return parsed
  }

  private static func read(
    _ value: JSONValue, _ limits: ServiceLimits, settings: CollectionSettings?,
    pointer: String = "", markers: [Snapshot.ElisionMarker] = []
  ) throws(ServiceError) -> ParsedSnapshot {
    var effective = settings ?? CollectionSettings()
    if let inline = value["settings"], !inline.isNull {
      effective = try .read(
        StrictJSON(inline), pointer: pointer + "/settings", limits: limits.settingsLimits
      ).following(settings)
    }
    return try read(value, limits, by: effective, pointer: pointer, markers: markers)
  }

  /// Reads a snapshot with given settings, ignoring its own.
  package static func read(
    _ value: JSONValue, _ limits: ServiceLimits, by effective: CollectionSettings,
    pointer: String, markers: [Snapshot.ElisionMarker] = []
  ) throws(ServiceError) -> ParsedSnapshot {
    let snapshot = try ServiceError.checking { () throws(SnapshotError) in
      try Snapshot.read(
        value, limits: limits.snapshot, options: effective.options, pointer: pointer,
        markers: markers)
    }
    let meta = value["meta"].flatMap { $0.isNull ? nil : $0.contentHash() }
    return ParsedSnapshot(snapshot: snapshot, meta: meta, settings: effective)
  }
}
