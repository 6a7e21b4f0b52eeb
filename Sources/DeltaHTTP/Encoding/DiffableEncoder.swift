import CollectionService
import DeltaEngine
import SnapshotJSON

/// Writes a delta in the dialect `diffable`: the ids of the whole list in order, for frameworks that
/// find out for themselves what moved, and the contents of what is new or changed.
enum DiffableEncoder {
  static func encode(_ material: DeltaMaterial) -> [UInt8] {
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
