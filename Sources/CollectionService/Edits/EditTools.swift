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
    JSONMergePatch.apply(patch, to: try document(Array(json)).root)
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
