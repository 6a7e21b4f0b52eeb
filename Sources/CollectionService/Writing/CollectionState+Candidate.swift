import DeltaEngine
import LiveCollections
import SnapshotJSON

extension CollectionState {
  /// What the next version's lists inside items are read beside.
  var nestedBase: NestedBase {
    NestedBase(sections: sections, contents: contents, lists: nested)
  }

  /// Whether items of the next snapshot may be left out where it has the same bytes: not where an
  /// item is more than its bytes, or is elsewhere than it was sent.
  var hasElidableItems: Bool {
    overrides.isEmpty && settings.nested == nil && settings.identity == .unique
      && !settings.arranges && contents.itemCount > 0
  }

  /// What a snapshot makes of the collection.
  ///
  /// - Throws: As `IDTable.candidate`.
  mutating func candidate(
    _ parsed: ParsedSnapshot, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    if let unchanged = parsed.unchanged { return candidate(parsed, beside: unchanged) }
    return try ids.candidate(parsed, settings, head: sections, overrides: overrides, tools)
  }

  /// What a snapshot makes of the collection that was read beside its head.
  private mutating func candidate(
    _ parsed: ParsedSnapshot, beside unchanged: UnchangedItems
  ) -> Candidate {
    Candidate(
      sections: ids.structure(of: parsed.snapshot, beside: unchanged, of: sections),
      contents: Contents(
        parsed.snapshot, hasMeta: parsed.meta != nil, beside: unchanged, of: contents),
      meta: parsed.meta)
  }

  /// What other settings make of the collection: the same contents, perhaps arranged otherwise.
  ///
  /// - Throws: `badSnapshot` when the contents cannot be arranged so.
  mutating func candidate(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    guard settings.idPath == self.settings.idPath else {
      return try candidate(identifiedBy: settings, tools)
    }
    var draft = Draft(sections, contents, ids, overrides)
    if self.settings.identity == .occurrence, settings.identity == .unique,
      draft.hasOccurrences(self.settings, tools)
    {
      throw .badSnapshot(
        SnapshotError(.duplicateID, "/identity", "an id stands more than once in the collection"))
    }
    if settings.itemOptions != self.settings.itemOptions {
      try draft.compareAnew(settings, tools)
    }
    try draft.finish(settings, tools)
    ids = draft.ids
    return draft.candidate(sharing: sections, meta: record.meta)
  }

  /// What shows the head's contents as they are, though other settings compare them otherwise.
  func overrides(by settings: CollectionSettings, _ tools: EditTools) -> HashOverrides {
    if settings.itemOptions == self.settings.itemOptions { return overrides }
    if settings.idPath != self.settings.idPath { return HashOverrides() }
    var draft = Draft(sections, contents, ids, overrides)
    guard (try? draft.compareAnew(settings, tools)) != nil else { return HashOverrides() }
    return draft.overrides
  }

  /// The same contents with ids from elsewhere: other items to all who look.
  private mutating func candidate(
    identifiedBy settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    try checkSize(tools.limits, "another idPath")
    // Sections by rule are made again, and one without a name is a list of items to its reader.
    guard settings.sectionRule != nil || sections.allSatisfy({ ids.text($0.uniqueID).isEmpty })
    else {
      return try candidate(remade: [UInt8(ascii: "{")] + contentText, by: settings, tools)
    }
    var writer = JSONWriter(capacity: contents.byteCount + 256)
    writer.beginObject()
    writer.beginArray("items")
    for flat in 0..<contents.itemCount { writer.raw(contents.item(at: flat)) }
    writer.endArray()
    writeMeta(to: &writer)
    writer.endObject()
    return try candidate(remade: writer.bytes, by: settings, tools)
  }

  /// What edits make of the collection.
  ///
  /// - Throws: `editConflict` for what does not fit, `badSnapshot` for what would be none.
  mutating func candidate(
    _ list: EditList, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    var draft = Draft(sections, contents, ids, overrides)
    try draft.apply(list, using: tools)
    try draft.finish(settings, tools)
    ids = draft.ids
    return draft.candidate(sharing: sections, meta: record.meta)
  }
}

extension CollectionState {
  /// What a JSON Patch of the collection's document makes of it.
  ///
  /// - Throws: `editConflict` for what does not fit, `badSnapshot` for what would be none,
  ///   `limitPassed` for a collection too large to be read as one document: what it is read into may
  ///   take many times its bytes.
  mutating func candidate(
    _ patch: JSONPatch, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    try checkSize(tools.limits, "a JSON Patch")
    // The document that a reader gets: what pointers of a JSON Patch lead into.
    let document = try tools.reader.document(SnapshotText.head(token, name) + contentText)
    let patched = try patch.apply(
      to: document.root, overhead: document.bytes.count - contents.contentByteCount, tools.limits)
    var writer = JSONWriter(capacity: patched.byteCount)
    writer.beginObject()
    if let items = patched.anonymousItems {
      writer.key("items")
      writer.value(items)
    } else if let sections = patched.value(at: ["sections"]) {
      writer.key("sections")
      writer.value(sections)
    }
    if let meta = patched.value(at: ["meta"]) {
      writer.key("meta")
      writer.value(meta)
    }
    writer.endObject()
    return try candidate(remade: writer.bytes, by: settings, tools)
  }

  /// What a document made here makes of the collection.
  mutating func candidate(
    remade document: [UInt8], by settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    // Readers' documents have the protocol's own layout, whatever the writer's is.
    var layout = CollectionSettings()
    layout.idPath = settings.idPath
    layout.identity = settings.identity
    layout.equalityIgnored = settings.equalityIgnored
    layout.nestedPath = settings.nestedPath
    layout.nestedIDPath = settings.nestedIDPath
    var parsed = try ParsedSnapshot.read(
      document, tools.reader, tools.limits, settings: layout)
    parsed.isSent = false
    return try ids.candidate(parsed, settings, head: sections, overrides: overrides, tools)
  }

  /// The content as readers get it, but without animations: those are settings, which no edit of
  /// the content changes.
  private var contentText: [UInt8] {
    SnapshotText.content(SnapshotMaterial(sections: sections, ids: ids, contents: contents))
  }

  /// Sees that the collection may be read as one document.
  private func checkSize(_ limits: ServiceLimits, _ change: String) throws(ServiceError) {
    let limit = limits.parsedBytesMax
    guard contents.contentByteCount > limit else { return }
    let detail = "\(change) is for collections of at most \(limit) bytes"
    throw .limitPassed(PassedLimit(.bytes, "", detail, limit: limit))
  }

  private func writeMeta(to writer: inout JSONWriter) {
    guard let meta = contents.meta else { return }
    writer.key("meta")
    writer.raw(meta)
  }
}

extension PatchedJSON {
  /// The items of a flat collection's document: its one section has an empty id, which none that
  /// is sent as a section may have.
  fileprivate var anonymousItems: PatchedJSON? {
    guard value(at: ["sections", "0", "id"])?.string == "", value(at: ["sections", "1"]) == nil
    else { return nil }
    return value(at: ["sections", "0", "items"])
  }
}
