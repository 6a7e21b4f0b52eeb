import DeltaEngine
import LiveCollections
import SnapshotJSON

extension CollectionState {
  package mutating func candidate(
    _ parsed: ParsedSnapshot, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    if let unchanged = parsed.unchanged { return candidate(parsed, beside: unchanged) }
    return try ids.candidate(parsed, settings, head: sections, overrides: overrides, tools)
  }

  /// Creates the candidate of a snapshot that was read with items elided.
  private mutating func candidate(
    _ parsed: ParsedSnapshot, beside unchanged: UnchangedItems
  ) -> Candidate {
    Candidate(
      sections: ids.structure(of: parsed.snapshot, beside: unchanged, of: sections),
      contents: Contents(
        parsed.snapshot, hasMeta: parsed.meta != nil, beside: unchanged, of: contents),
      meta: parsed.meta)
  }

  /// Creates the candidate of new settings: the same contents, arranged by them.
  ///
  /// - Throws: `badSnapshot` if the contents cannot be arranged so.
  package mutating func candidate(
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

  /// The overrides that keep the head's hashes although `settings` compare contents differently.
  package func overrides(by settings: CollectionSettings, _ tools: EditTools) -> HashOverrides {
    if settings.itemOptions == self.settings.itemOptions { return overrides }
    if settings.idPath != self.settings.idPath { return HashOverrides() }
    var draft = Draft(sections, contents, ids, overrides)
    // An error means that the head cannot be compared so: without overrides readers get it anew.
    guard (try? draft.compareAnew(settings, tools)) != nil else { return HashOverrides() }
    return draft.overrides
  }

  /// Creates the candidate of a new `idPath`; readers see all items as different ones.
  private mutating func candidate(
    identifiedBy settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    try checkSize(tools.limits, "another idPath")
    // Sections made by rule are made again. A section with an empty id represents a flat list.
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

  /// Creates the candidate of edits.
  ///
  /// - Throws: `editConflict` if an edit does not apply, `badSnapshot` if the result is invalid.
  package mutating func candidate(
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
  /// Creates the candidate of a document in the layout that readers get.
  package mutating func candidate(
    remade document: [UInt8], by settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    var parsed = try ParsedSnapshot.read(
      document, tools.reader, tools.limits, settings: settings.forDocument)
    parsed.isSent = false
    return try ids.candidate(parsed, settings, head: sections, overrides: overrides, tools)
  }

  /// The content as readers get it, without animations, which are settings and not content.
  private var contentText: [UInt8] {
    SnapshotText.content(SnapshotEncodingInput(sections: sections, ids: ids, contents: contents))
  }

  /// Throws if the collection is too large to be parsed as one document.
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

extension CollectionSettings {
  /// The settings to read a document that readers get: it has the protocol's default layout, whatever
  /// layout the writer uses.
  var forDocument: CollectionSettings {
    var layout = CollectionSettings()
    layout.idPath = idPath
    layout.identity = identity
    layout.equalityIgnored = equalityIgnored
    return layout
  }
}
