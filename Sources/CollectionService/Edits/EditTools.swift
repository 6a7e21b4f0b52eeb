import DeltaEngine
import SnapshotJSON

/// What edits need beside the draft: a reader for contents that are put together, and the number
/// of the version in the making.
struct EditTools {
  let reader: JSONReader
  let limits: ServiceLimits
  let seq: Int
  /// How items are read.
  var options = SnapshotOptions()

  /// An item with a merge patch applied, as a snapshot of one item.
  func item(
    merging patch: JSONValue, into json: ArraySlice<UInt8>
  ) throws(EditFault) -> Snapshot {
    let merged = try merge(patch, into: json)
    return try snapshot([UInt8(ascii: "[")] + merged + [UInt8(ascii: "]")])
  }

  /// A section's header with a merge patch applied, as a snapshot of one empty section.
  func section(
    merging patch: JSONValue, into json: ArraySlice<UInt8>
  ) throws(EditFault) -> Snapshot {
    let merged = try merge(patch, into: json)
    let items = merged == Array("{}".utf8) ? "\"items\":[]}]}" : ",\"items\":[]}]}"
    return try snapshot(Array("{\"sections\":[".utf8) + merged.dropLast() + Array(items.utf8))
  }

  /// A hash that is none of any content: what shows the same is drawn anew.
  func forced(_ content: ContentHash) -> ContentHash {
    var bytes: [UInt8] = []
    for word in [content.high, content.low, UInt64(seq)] {
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return hash128(bytes)
  }

  private func merge(
    _ patch: JSONValue, into json: ArraySlice<UInt8>
  ) throws(EditFault) -> [UInt8] {
    var writer = JSONWriter(capacity: json.count + 64)
    writer.merge(patch, into: try document(Array(json)).root)
    return writer.bytes
  }

  func snapshot(_ text: [UInt8]) throws(EditFault) -> Snapshot {
    let document = try document(text)
    do throws(SnapshotError) {
      return try Snapshot.read(document.root, limits: limits.snapshot, options: options)
    } catch {
      throw .badContent(SnapshotError(error.code, "", error.detail, limit: error.limit))
    }
  }

  func document(_ text: [UInt8]) throws(EditFault) -> JSONDocument {
    do throws(JSONError) {
      return try reader.read(text)
    } catch {
      throw .badContent(SnapshotError(.badSnapshot, "", "\(error)"))
    }
  }
}

extension JSONWriter {
  /// Writes what a merge patch makes of a value (RFC 7396 §2): members keep their order, new ones
  /// come last, those that the patch has as `null` go.
  mutating func merge(_ patch: JSONValue, into target: JSONValue?) {
    guard patch.kind == .object else { return value(patch) }
    beginObject()
    var seen: Set<String> = []
    if let target, target.kind == .object {
      for member in target.members {
        guard let change = patch[member.key] else {
          key(member.key)
          value(member.value)
          continue
        }
        guard seen.insert(member.key).inserted, !change.isNull else { continue }
        key(member.key)
        merge(change, into: member.value)
      }
    }
    for member in patch.members where !member.value.isNull {
      guard seen.insert(member.key).inserted else { continue }
      key(member.key)
      merge(member.value, into: nil)
    }
    endObject()
  }
}
