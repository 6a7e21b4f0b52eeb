import DeltaEngine
import LiveCollections
import SnapshotJSON

extension IDTable {
  /// A snapshot's structure, with an array of the version before wherever a section's items are
  /// the same, so that memory holds them once.
  mutating func structure(
    of snapshot: Snapshot, sharing previous: [StructureSection],
    forced: ForcedContents = ForcedContents()
  ) -> [StructureSection] {
    var places: [UInt32: Int] = [:]
    for (index, section) in previous.enumerated() { places[section.uniqueID] = index }
    return snapshot.sections.map { section in
      let id = intern(snapshot.bytes(section.id))
      let before = places[id].map { previous[$0].items } ?? []
      var items: [StructureItem] = []
      items.reserveCapacity(section.items.count)
      var expected = 0
      for index in section.items {
        let item = snapshot.items[index]
        let id = intern(snapshot.bytes(item.id), near: &expected, in: before)
        let content = forced.isEmpty ? item.content : forced.shown(id, item.content)
        items.append(StructureItem(uniqueID: id, content: content))
      }
      return StructureSection(
        uniqueID: id, header: forced.shown(header: id, section.content),
        items: items == before ? before : items)
    }
  }

  /// The number of an id that most likely stands where it stood in the version before: where it is
  /// expected, or, when some are gone, a little behind; a new one changes nothing of that.
  private mutating func intern(
    _ text: ArraySlice<UInt8>, near expected: inout Int, in before: [StructureItem]
  ) -> UInt32 {
    for place in expected..<min(expected + 4, before.count)
    where isText(before[place].uniqueID, text) {
      expected = place + 1
      return before[place].uniqueID
    }
    return intern(text)
  }

  /// The digest of a version.
  func digest(
    of sections: [StructureSection], nested: NestedLists, meta: ContentHash?, lineage: String
  ) -> ContentDigest {
    var input = DigestInput(lineage: lineage)
    for section in sections {
      input.append(
        section: digestHash(section.uniqueID), header: section.header,
        itemCount: section.items.count)
      guard !nested.isEmpty else {
        input.append(section.items, self)
        continue
      }
      for item in section.items {
        input.append(item: digestHash(item.uniqueID), content: item.content)
        guard let list = nested[item.uniqueID] else { continue }
        input.append(listOf: list.count)
        for item in list {
          input.append(item: digestHash(item.uniqueID), content: item.content)
        }
      }
    }
    input.append(meta: meta)
    return input.digest()
  }
}

extension IDTable {
  /// What a snapshot makes of a collection.
  ///
  /// - Parameters:
  ///   - parsed: The snapshot.
  ///   - settings: The collection's.
  ///   - head: The head's structure, empty for a collection that is new.
  ///   - forced: What the head shows as other than it is.
  ///   - tools: For collections that are arranged by rule.
  /// - Returns: The next version's parts.
  /// - Throws: `badSnapshot` for sections where the settings make them.
  mutating func proposal(
    _ parsed: ParsedSnapshot, _ settings: CollectionSettings, head: [StructureSection],
    forced: ForcedContents, _ tools: EditTools
  ) throws(ServiceError) -> Proposal {
    let contents = Contents(parsed.snapshot, hasMeta: parsed.meta != nil)
    if settings.arranges {
      guard parsed.snapshot.isFlat || settings.sectionRule == nil || !parsed.isSent else {
        throw .badSnapshot(
          SnapshotError(
            .badSnapshot, "/sections",
            "the collection's sections are made by its setting sectionBy: send items"))
      }
      var draft = Draft(parsed.snapshot, contents, self, forced)
      try draft.finish(settings, tools)
      self = draft.ids
      return draft.proposal(sharing: head, meta: parsed.meta)
    }
    let sections = structure(of: parsed.snapshot, sharing: head, forced: forced)
    return Proposal(
      sections: sections, contents: contents, meta: parsed.meta, forced: forced.kept(in: sections))
  }
}

extension HostedCollection {
  /// What a snapshot makes of the collection.
  ///
  /// - Throws: As `IDTable.proposal`.
  func proposal(_ parsed: ParsedSnapshot, _ tools: EditTools) throws(ServiceError) -> Proposal {
    if let known = parsed.known { return proposal(parsed, beside: known.runs) }
    return try ids.proposal(parsed, settings, head: data.sections, forced: forced, tools)
  }

  /// What a snapshot makes of the collection that was read beside its head.
  private func proposal(
    _ parsed: ParsedSnapshot, beside runs: [AbridgedText.Run]
  ) -> Proposal {
    Proposal(
      sections: ids.structure(of: parsed.snapshot, beside: runs, of: data.sections),
      contents: Contents(
        parsed.snapshot, hasMeta: parsed.meta != nil, beside: runs, of: contents),
      meta: parsed.meta)
  }

  /// What other settings make of the collection: the same contents, perhaps arranged otherwise.
  ///
  /// - Throws: `badSnapshot` when the contents cannot be arranged so.
  func proposal(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Proposal {
    guard settings.idPath == self.settings.idPath else {
      return try proposal(identifiedBy: settings, tools)
    }
    var draft = Draft(data.sections, contents, ids, forced)
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
    return draft.proposal(sharing: data.sections, meta: history.head.meta)
  }

  /// What shows the head's contents as they are, though other settings compare them otherwise.
  func forced(by settings: CollectionSettings, _ tools: EditTools) -> ForcedContents {
    if settings.itemOptions == self.settings.itemOptions { return forced }
    if settings.idPath != self.settings.idPath { return ForcedContents() }
    var draft = Draft(data.sections, contents, ids, forced)
    guard (try? draft.compareAnew(settings, tools)) != nil else { return ForcedContents() }
    return draft.forced
  }

  /// The same contents with ids from elsewhere: other items to all who look.
  private func proposal(
    identifiedBy settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Proposal {
    var writer = JSONWriter(capacity: contents.byteCount + 256)
    writer.beginObject()
    // Sections by rule are made again, and one without a name is a list of items to its reader.
    if settings.sectionRule != nil || data.sections.allSatisfy({ ids.text($0.uniqueID).isEmpty }) {
      writer.key("items")
      writer.beginArray()
      for flat in 0..<contents.itemCount { writer.raw(contents.item(at: flat)) }
      writer.endArray()
    } else {
      writeSections(to: &writer)
    }
    if let meta = contents.meta {
      writer.key("meta")
      writer.raw(meta)
    }
    writer.endObject()
    return try proposal(remade: writer.bytes, by: settings, tools)
  }

  /// What edits make of the collection.
  ///
  /// - Throws: `editConflict` for what does not fit, `badSnapshot` for what would be none.
  func proposal(_ list: EditList, _ tools: EditTools) throws(ServiceError) -> Proposal {
    var draft = Draft(data.sections, contents, ids, forced)
    do throws(EditFailure) {
      try draft.apply(list, using: tools)
    } catch {
      throw error.serviceError
    }
    try draft.finish(settings, tools)
    ids = draft.ids
    return draft.proposal(sharing: data.sections, meta: history.head.meta)
  }
}

extension HostedCollection {
  /// What a JSON Patch of the collection's document makes of it.
  ///
  /// - Throws: `editConflict` for what does not fit, `badSnapshot` for what would be none.
  func proposal(_ patch: JSONPatch, _ tools: EditTools) throws(ServiceError) -> Proposal {
    let document: JSONDocument
    do throws(JSONError) {
      document = try tools.reader.read(documentBytes)
    } catch {
      throw .badJSON(error)
    }
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
    return try proposal(remade: writer.bytes, by: settings, tools)
  }

  /// What a document made here makes of the collection.
  private func proposal(
    remade document: [UInt8], by settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) -> Proposal {
    // Readers' documents have the protocol's own layout, whatever the writer's is.
    var layout = CollectionSettings()
    layout.idPath = settings.idPath
    layout.identity = settings.identity
    layout.equalityIgnored = settings.equalityIgnored
    layout.nestedPath = settings.nestedPath
    layout.nestedIDPath = settings.nestedIDPath
    var parsed = try ParsedSnapshot.read(
      document, tools.reader, tools.limits, settings: layout
    ).get()
    parsed.isSent = false
    return try ids.proposal(parsed, settings, head: data.sections, forced: forced, tools)
  }

  /// The document that a reader of the collection gets: what pointers of a JSON Patch lead into.
  private var documentBytes: [UInt8] {
    var writer = JSONWriter(capacity: contents.byteCount + 256)
    writer.beginObject()
    writer.key("kind")
    writer.string("snapshot")
    writer.key("collection")
    writer.string(name.text)
    writer.key("version")
    writer.string(token.description)
    writer.key("seq")
    writer.number(token.seq)
    writeSections(to: &writer)
    if let meta = contents.meta {
      writer.key("meta")
      writer.raw(meta)
    }
    writer.endObject()
    return writer.bytes
  }

  private func writeSections(to writer: inout JSONWriter) {
    writer.key("sections")
    writer.beginArray()
    var flat = 0
    for (index, section) in data.sections.enumerated() {
      writer.raw(contents.section(index, items: flat..<flat + section.items.count))
      flat += section.items.count
    }
    writer.endArray()
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

extension Draft {
  /// Puts everything where the settings want it.
  fileprivate mutating func finish(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) {
    do throws(EditFault) {
      if settings.arranges { try arrange(by: settings, tools) }
      try nameOccurrences(settings, tools)
    } catch {
      throw error.ofWhole
    }
    if settings.arranges { try checkSize(tools.limits) }
  }

  /// Takes the hashes of contents under another rule of equality; what is shown stays.
  fileprivate mutating func compareAnew(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) {
    do throws(EditFault) {
      try rehash(settings.itemOptions, tools)
    } catch {
      throw error.ofWhole
    }
  }

  /// The next version's parts.
  fileprivate func proposal(
    sharing head: [StructureSection], meta: ContentHash?
  ) -> Proposal {
    let sections = structure(sharing: head)
    return Proposal(
      sections: sections, contents: contents, meta: meta, forced: forced.kept(in: sections))
  }

  /// Sees that rules have not made more sections than a collection may have.
  fileprivate func checkSize(_ limits: ServiceLimits) throws(ServiceError) {
    guard sections.count <= limits.sectionsMax else {
      throw .badSnapshot(.tooManySections(sections.count, limit: limits.sectionsMax))
    }
  }
}
