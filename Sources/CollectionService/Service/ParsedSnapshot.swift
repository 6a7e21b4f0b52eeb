import DeltaEngine
import SnapshotJSON

/// A snapshot as it came, checked.
struct ParsedSnapshot: Sendable {
  let snapshot: Snapshot
  /// The hash of `meta`; nil without one, and for `null`, which is the same.
  let meta: ContentHash?
  /// The settings that it was read by: those that came with it, else the collection's.
  let settings: CollectionSettings
  /// Whether a writer sent it, rather than a patch having made it.
  var isSent = true
  /// The items that were left out since the head has them; nil when it was read in full.
  var unchanged: UnchangedItems?

  /// The number of items that were left out.
  var unchangedItemCount: Int { unchanged?.count ?? 0 }

  /// Reads a snapshot from a body.
  ///
  /// - Parameters:
  ///   - body: JSON text.
  ///   - reader: Reads it.
  ///   - limits: What it may hold.
  ///   - settings: The collection's, unless it brings some; nil when there is none yet.
  ///   - pointer: The JSON pointer to it, put before those in errors.
  /// - Returns: The snapshot.
  /// - Throws: `badJSON`, `badSnapshot`, `badSettings`.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits,
    settings: CollectionSettings?, pointer: String = ""
  ) throws(ServiceError) -> ParsedSnapshot {
    try read(reader.document(body).root, limits, settings: settings, pointer: pointer)
  }

  /// Reads what a body has that a collection has not; nil when it is to be read in full: for want
  /// of known items, for other settings, for whatever is wrong with it, or because an item that was
  /// read has the id of one that was left out.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits, beside state: CollectionState
  ) -> ParsedSnapshot? {
    guard state.hasElidableItems,
      let text = ElidedText.shortened(
        body, known: state.contents, itemBytesMax: limits.itemBytesMax),
      let document = try? reader.read(text.bytes),
      var parsed = try? read(
        document.root, limits, settings: state.settings, omissions: text.omissions),
      parsed.settings == state.settings,
      !state.ids.repeats(parsed.snapshot, beside: text.unchanged, of: state.sections)
    else { return nil }
    parsed.unchanged = text.unchanged
    return parsed
  }

  /// Reads a snapshot from a part of a document.
  private static func read(
    _ value: JSONValue, _ limits: ServiceLimits, settings: CollectionSettings?,
    pointer: String = "", omissions: [Snapshot.Omission] = []
  ) throws(ServiceError) -> ParsedSnapshot {
    var effective = settings ?? CollectionSettings()
    if let inline = value["settings"], !inline.isNull {
      effective = try .read(inline, pointer: pointer + "/settings", limits: limits.settingsLimits)
    }
    return try read(value, limits, by: effective, pointer: pointer, omissions: omissions)
  }

  /// Reads a snapshot by some settings, whatever it brings.
  static func read(
    _ value: JSONValue, _ limits: ServiceLimits, by effective: CollectionSettings,
    pointer: String, omissions: [Snapshot.Omission] = []
  ) throws(ServiceError) -> ParsedSnapshot {
    let snapshot = try ServiceError.checking { () throws(SnapshotError) in
      try Snapshot.read(
        value, limits: limits.snapshot, options: effective.options, pointer: pointer,
        omissions: omissions)
    }
    let meta = value["meta"].flatMap { $0.isNull ? nil : $0.contentHash() }
    return ParsedSnapshot(snapshot: snapshot, meta: meta, settings: effective)
  }
}
