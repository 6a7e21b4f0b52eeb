import SnapshotJSON

/// A version as JSON text, in two parts: a head that depends on the answer, and the shared content.
public enum SnapshotText {
  /// Returns `{"kind":…,"collection":…,"version":…,"seq":…,"reset":…,`.
  public static func head(
    kind: String = "snapshot", _ version: VersionToken, _ name: ResourceName, reset: Reset? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("kind", kind)
    writer.member("collection", name.text)
    writer.member("version", version.description)
    writer.member("seq", version.seq)
    if let reset {
      writer.key("reset")
      writer.object {
        $0.member("reason", reset.reason.rawValue)
        $0.member("since", reset.since.description)
        $0.member("oldest", reset.oldest.description)
      }
    }
    return writer.bytes + [UInt8(ascii: ",")]
  }

  /// Returns `"idPath":…,"sections":[…],"meta":…,"animations":…}`.
  public static func content(_ material: SnapshotEncodingInput) -> [UInt8] {
    let contents = material.contents
    var bytes: [UInt8] = []
    bytes.reserveCapacity(contents.byteCount + 64)
    if material.idPath != .id {
      bytes += JSONWriter.object { $0.member("idPath", material.idPath.description) }.dropFirst()
      bytes[bytes.count - 1] = UInt8(ascii: ",")
    }
    if let view = material.view {
      bytes += JSONWriter.object { $0.write(view) }.dropFirst()
      bytes[bytes.count - 1] = UInt8(ascii: ",")
    }
    bytes.append(contentsOf: "\"sections\":[".utf8)
    var flatIndex = 0
    for (index, section) in material.sections.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      // A header always has the member `id`, so the comma is correct.
      bytes.append(contentsOf: contents.header(ofSection: index).dropLast())
      bytes.append(contentsOf: material.partMembers(ofSection: index))
      bytes.append(contentsOf: ",\"items\":[".utf8)
      for item in section.items.indices {
        if item > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: contents.item(at: flatIndex))
        flatIndex += 1
      }
      bytes.append(contentsOf: "]}".utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    for (name, value) in [
      ("meta", contents.meta), ("animations", material.animations.map { $0[...] }),
    ] {
      guard let value else { continue }
      bytes.append(contentsOf: ",\"\(name)\":".utf8)
      bytes.append(contentsOf: value)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
