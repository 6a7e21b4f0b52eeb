import CollectionService
import DeltaEngine
import SnapshotJSON

// What the dialects have in common: who the answer is about, and the contents that come along.

extension JSONWriter {
  /// `"kind"` and what the envelope says of the two versions.
  mutating func beginDelta(_ material: DeltaMaterial) {
    member("kind", "delta")
    write(material.envelope)
  }

  /// `"order":[sectionIds]`.
  mutating func writeOrder(_ material: DeltaMaterial) {
    beginArray("order")
    for index in material.target.sections.indices {
      string(utf8: material.id(SectionIndex<Target>(index)))
    }
    endArray()
  }

  /// The ids of the items whose content changed.
  mutating func writeChanged(_ name: StaticString, _ material: DeltaMaterial) {
    beginArray(name)
    for pair in material.delta.changes.reloadedItems { string(utf8: material.id(pair.target)) }
    endArray()
  }

  /// `"collection","from","to","seq"`, and `"animate":false` over a threshold; nothing for a delta between no collection's versions.
  mutating func write(_ envelope: DeltaMaterial.Envelope?) {
    guard let envelope else { return }
    member("collection", envelope.collection)
    member("from", envelope.from.description)
    member("to", envelope.to.description)
    member("seq", envelope.to.seq)
    if !envelope.isAnimated { member("animate", false) }
  }

  /// `"items","sections","deleted"`, also when there is nothing in them, and `"meta"` when it is
  /// other than before.
  ///
  /// Law 9: contents of what is new or changed, and of nothing that only moved.
  mutating func writeContents(_ material: DeltaMaterial) {
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
    beginArray("deleted")
    for path in changes.deletedItems { string(utf8: material.id(path)) }
    endArray()
    writeMeta(material)
    if let animations = material.target.animations {
      member("animations", raw: animations)
    }
  }

  /// The collection's own content, if it is other than before; `null` when it is gone.
  private mutating func writeMeta(_ material: DeltaMaterial) {
    if case .unchanged = material.metaChange { return }
    key("meta")
    if let meta = material.target.contents.meta { raw(meta) } else { null() }
  }
}
