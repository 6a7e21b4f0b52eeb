import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Encodes deltas in the dialect `splice`: removed ids, and insertions with their positions, as in
/// JMAP's `/queryChanges` (RFC 8620 §5.6).
///
/// A moved item is removed and inserted, so minimal moves keep it short.
enum SpliceEncoder {
  static func encode(_ material: DeltaEncodingInput) -> [UInt8] {
    let changes = material.delta.changes
    let removed = (changes.deletedItems + changes.movedItems.map(\.source)).sorted()
    let added = (changes.insertedItems + changes.movedItems.map(\.target)).sorted()
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.beginDelta(material)
    writer.writeOrder(material)
    writer.array("removed", removed) { $0.string(utf8: material.id($1)) }
    writer.array("added", added) { $0.write($1, material) }
    writer.writeChanged("changed", material)
    writer.writeContents(material)
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes `["today",0,"m6"]`.
  fileprivate mutating func write(_ path: ItemPath<TargetSpace>, _ material: DeltaEncodingInput) {
    beginArray()
    string(utf8: material.id(SectionIndex<TargetSpace>(path.section)))
    number(path.item)
    string(utf8: material.id(path))
    endArray()
  }
}
