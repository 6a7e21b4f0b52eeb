import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Encodes deltas in the dialect `diffable`: all ids in order, for frameworks that compute moves
/// themselves, and the contents of inserted and changed items.
enum DiffableEncoder {
  static func encode(_ material: DeltaEncodingInput) -> [UInt8] {
    let target = material.target
    var writer = JSONWriter(capacity: 1024 + 16 * target.contents.itemCount)
    writer.beginObject()
    writer.beginDelta(material)
    writer.beginArray("order")
    for section in target.sections {
      writer.beginArray()
      writer.string(utf8: target.ids.text(section.uniqueID))
      writer.beginArray()
      for item in section.items { writer.string(utf8: target.ids.text(item.uniqueID)) }
      writer.endArray()
      writer.endArray()
    }
    writer.endArray()
    writer.writeChanged("reconfigure", material)
    writer.writeContents(material)
    writer.endObject()
    return writer.bytes
  }
}
