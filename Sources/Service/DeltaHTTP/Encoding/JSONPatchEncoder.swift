import CollectionService
import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Encodes deltas in the dialect `json-patch` (RFC 6902): sequential operations on the document
/// that a `GET` of the collection returns.
///
/// The patch removes deleted items and the deleted sections that no item leaves; moves and inserts
/// sections, the latter with their inserted items; moves and inserts items; removes the deleted
/// sections that items left; and finally replaces contents, whose positions no longer change. It
/// begins with a test of the version and ends by replacing it with that of the resulting document.
struct JSONPatchEncoder {
  private let material: DeltaEncodingInput
  private let changes: DeltaChanges
  private var lists: PatchedLists
  private var writer = JSONWriter(capacity: 1024)

  static func encode(_ material: DeltaEncodingInput) -> [UInt8] {
    var encoder = JSONPatchEncoder(material)
    encoder.encode()
    return encoder.writer.bytes
  }

  private init(_ material: DeltaEncodingInput) {
    self.material = material
    changes = material.delta.changes
    lists = PatchedLists(material)
  }

  private mutating func encode() {
    writer.beginArray()
    if let envelope = material.envelope {
      operation("test", "/version") { $0.string(envelope.from.description) }
    }
    // Equal structures need no layout.
    if !changes.isEmpty {
      removeItems()
      removeSections { !$0.isLeft }
      placeSections()
      placeItems()
      removeSections { $0.isLeft }
      replaceContents()
    }
    replaceMeta()
    replaceNumbers()
    if let envelope = material.envelope {
      operation("replace", "/seq") { $0.number(envelope.to.seq) }
      operation("replace", "/version") { $0.string(envelope.to.description) }
    }
    writer.endArray()
  }

  // MARK: Removals

  private mutating func removeItems() {
    // In reverse order, as one would do by hand.
    for path in changes.deletedItems.reversed() where !lists.isRemoved(path.section) {
      operation("remove", lists.remove(path))
    }
  }

  private mutating func removeSections(where isWanted: (PatchedLists.RemovedSection) -> Bool) {
    for section in lists.deletedSections.reversed() where isWanted(section) {
      operation("remove", lists.remove(section))
    }
  }

  // MARK: Moves and insertions

  private mutating func placeSections() {
    for pair in changes.movedSections {
      let from = lists.remove(section: pair.source)
      move(from: from, to: lists.insert(section: pair.target))
    }
    var added = changes.insertedItems[...]
    for section in changes.insertedSections {
      added = added.drop { $0.section < section.index }
      let items = added.prefix { $0.section == section.index }
      let path = lists.insert(section: section)
      for item in items { _ = lists.insert(item) }
      let value = sectionJSON(section, items)
      operation("add", path) { $0.raw(value) }
    }
  }

  private mutating func placeItems() {
    for pair in changes.movedItems {
      let from = lists.lift(pair.source)
      move(from: from, to: lists.insert(pair.target))
    }
    for path in changes.insertedItems where !lists.isAdded(path.section) {
      let json = material.json(path)
      operation("add", lists.insert(path)) { $0.raw(json) }
    }
  }

  private func sectionJSON(
    _ section: SectionIndex<TargetSpace>, _ items: ArraySlice<ItemPath<TargetSpace>>
  ) -> [UInt8] {
    // A header always has an id, so the object is not empty and a comma can follow.
    var json = Array(material.json(section).dropLast())
    if changes.insertedSections.contains(section) {
      json += material.target.partMembers(ofSection: section.index)
    }
    json.append(contentsOf: ",\"items\":[".utf8)
    for (index, item) in items.enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      json.append(contentsOf: material.json(item))
    }
    json.append(contentsOf: "]}".utf8)
    return json
  }

  // MARK: Replacements

  private mutating func replaceContents() {
    for pair in changes.reloadedItems {
      let json = material.json(pair.target)
      operation("replace", "/sections/\(pair.target.section)/items/\(pair.target.item)") {
        $0.raw(json)
      }
    }
    for pair in changes.reloadedSections { replaceHeader(pair.target) }
  }

  /// Replaces a section's members but keeps its items, without knowing which members it had:
  /// inserts the new section, moves the items into it, and removes the old section.
  private mutating func replaceHeader(_ section: SectionIndex<TargetSpace>) {
    let place = "/sections/\(section.index)"
    if material.target.sections[section.index].items.isEmpty {
      let value = sectionJSON(section, [])
      return operation("replace", place) { $0.raw(value) }
    }
    let old = "/sections/\(section.index + 1)"
    let header = material.json(section)
    operation("add", place) { $0.raw(header) }
    move(from: old + "/items", to: place + "/items")
    operation("remove", old)
  }

  private mutating func replaceMeta() {
    guard case .changed = material.metaChange else { return }
    if let meta = material.target.contents.meta {
      operation("add", "/meta") { $0.raw(meta) }
    } else {
      operation("remove", "/meta")
    }
  }

  /// Replaces the numbers of a view: its own, and those of sections that it shows in part.
  private mutating func replaceNumbers() {
    guard let view = material.target.view else { return }
    let sources = changes.sourceSections(
      sourceCount: material.source.count, targetCount: material.target.sections.count)
    let remade = Set(changes.reloadedSections.map(\.target.index))
    for index in material.target.sections.indices {
      let part = material.target.part(ofSection: index)
      let source = Int(sources[index])
      // An inserted section comes with its numbers; one whose header changed has none.
      if source < 0 || material.target.hasOwnPartMembers(ofSection: index) { continue }
      let old = remade.contains(index) ? nil : material.sourcePart(ofSection: source)
      if part == old { continue }
      for (name, value) in [("start", part?.start), ("total", part?.total)] {
        if let value {
          operation("add", "/sections/\(index)/\(name)") { $0.number(value) }
        } else {
          operation("remove", "/sections/\(index)/\(name)")
        }
      }
    }
    operation("replace", "/view") { $0.writeValue(view) }
  }

  // MARK: Operations

  private mutating func operation(
    _ name: StaticString, _ path: String, value: ((inout JSONWriter) -> Void)? = nil
  ) {
    writer.beginObject()
    writer.member("op", "\(name)")
    writer.member("path", path)
    if let value {
      writer.key("value")
      value(&writer)
    }
    writer.endObject()
  }

  private mutating func move(from: String, to path: String) {
    writer.beginObject()
    writer.member("op", "move")
    writer.member("from", from)
    writer.member("path", path)
    writer.endObject()
  }
}
