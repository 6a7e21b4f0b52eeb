import DeltaEngine
import SnapshotJSON
import VersionedCollections

// The members that all dialects share: the versions and the contents.

extension JSONWriter {
  /// Writes `"kind"` and the members that identify the two versions.
  mutating func beginDelta(_ material: DeltaEncodingInput) {
    member("kind", "delta")
    write(material.envelope)
    if let view = material.target.view { write(view) }
  }

  /// Writes `"order":[sectionIds]`.
  mutating func writeOrder(_ material: DeltaEncodingInput) {
    array("order", material.target.sections.indices) {
      $0.string(utf8: material.id(SectionIndex<TargetSpace>($1)))
    }
  }

  /// Writes the ids of the items whose contents changed.
  mutating func writeChanged(_ name: StaticString, _ material: DeltaEncodingInput) {
    array(name, material.delta.changes.reloadedItems) { $0.string(utf8: material.id($1.target)) }
  }

  /// Writes `"collection","from","to","seq"`, and `"animate":false` above a threshold.
  ///
  /// Writes nothing for a delta that is not between versions of a collection.
  mutating func write(_ envelope: DeltaEncodingInput.Envelope?) {
    guard let envelope else { return }
    member("collection", envelope.collection)
    member("from", envelope.from.description)
    member("to", envelope.to.description)
    member("seq", envelope.to.seq)
    if !envelope.isAnimated { member("animate", false) }
  }

  /// Writes `"items"`, `"sections"` and `"deleted"`, even if they are empty, and `"meta"` if it
  /// changed.
  ///
  /// Law 9: includes the contents of what is inserted or changed, and of nothing that only moved.
  mutating func writeContents(_ material: DeltaEncodingInput) {
    let changes = material.delta.changes
    beginObject("items")
    for path in changes.insertedItems + changes.reloadedItems.map(\.target) {
      key(utf8: material.id(path))
      raw(material.entry(path))
    }
    endObject()
    beginObject("sections")
    for section in changes.insertedSections + changes.reloadedSections.map(\.target) {
      key(utf8: material.id(section))
      raw(material.json(section))
    }
    endObject()
    array("deleted", material.deletedIDs) { $0.string(utf8: $1) }
    if material.departures != nil { array("left", material.leftIDs) { $0.string(utf8: $1) } }
    writeMeta(material)
    if let animations = material.target.animations {
      member("animations", raw: animations)
    }
  }

  /// Writes the collection's own content if it changed; `null` if it was removed.
  private mutating func writeMeta(_ material: DeltaEncodingInput) {
    if case .unchanged = material.metaChange { return }
    key("meta")
    if let meta = material.target.contents.meta { raw(meta) } else { null() }
  }
}
