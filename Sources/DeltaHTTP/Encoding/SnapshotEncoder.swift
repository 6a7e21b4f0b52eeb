import CollectionService
import SnapshotJSON

/// Writes a version's content, from `"sections"` to the closing brace: what stands before differs
/// from answer to answer, this is shared.
enum SnapshotEncoder {
  /// The same with ids only: `"sections":[{"id":"today","items":["m1","m2"]}]}`.
  static func encodeStructure(_ material: SnapshotMaterial) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.beginArray()
    for section in material.sections {
      writer.beginObject()
      writer.key("id")
      writer.string(utf8: material.ids.text(section.uniqueID))
      writer.beginArray("items")
      for item in section.items { writer.string(utf8: material.ids.text(item.uniqueID)) }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
    return Array("\"sections\":".utf8) + writer.bytes + [UInt8(ascii: "}")]
  }

  static func encode(_ material: SnapshotMaterial) -> [UInt8] {
    let contents = material.contents
    var bytes: [UInt8] = []
    bytes.reserveCapacity(contents.byteCount + 64)
    bytes.append(contentsOf: "\"sections\":[".utf8)
    var flatIndex = 0
    for (index, section) in material.sections.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      // A header always has a member, its id: so there is something to put a comma behind.
      bytes.append(contentsOf: contents.header(ofSection: index).dropLast())
      bytes.append(contentsOf: ",\"items\":[".utf8)
      for item in section.items.indices {
        if item > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: contents.item(at: flatIndex))
        flatIndex += 1
      }
      bytes.append(contentsOf: "]}".utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    if let meta = contents.meta {
      bytes.append(contentsOf: ",\"meta\":".utf8)
      bytes.append(contentsOf: meta)
    }
    if let animations = material.animations {
      bytes.append(contentsOf: ",\"animations\":".utf8)
      bytes.append(contentsOf: animations)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
