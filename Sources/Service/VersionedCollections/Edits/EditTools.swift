import DeltaEngine
package import SnapshotJSON

/// What edits need besides the draft: a JSON reader, the limits and the number of the new version.
package struct EditTools {
  package let reader: JSONReader
  package let limits: ServiceLimits
  package let seq: Int
  /// The options for reading items.
  package var options = SnapshotOptions()

  package init(
    reader: JSONReader, limits: ServiceLimits, seq: Int,
    options: SnapshotOptions = SnapshotOptions()
  ) {
    self.reader = reader
    self.limits = limits
    self.seq = seq
    self.options = options
  }

  /// Applies a merge patch to an item; returns a snapshot of one item.
  package func item(
    merging patch: JSONValue, into json: ArraySlice<UInt8>
  ) throws(EditFault) -> Snapshot {
    let merged = try merge(patch, into: json)
    return try snapshot([UInt8(ascii: "[")] + merged + [UInt8(ascii: "]")])
  }

  /// Applies a merge patch to a section's header; returns a snapshot of one empty section.
  func section(
    merging patch: JSONValue, into json: ArraySlice<UInt8>
  ) throws(EditFault) -> Snapshot {
    let merged = try merge(patch, into: json)
    let items = merged == Array("{}".utf8) ? "\"items\":[]}]}" : ",\"items\":[]}]}"
    return try snapshot(Array("{\"sections\":[".utf8) + merged.dropLast() + Array(items.utf8))
  }

  /// Returns a hash that no content has; an item with this hash is reloaded by readers.
  func reloadHash(_ content: ContentHash) -> ContentHash {
    var bytes: [UInt8] = []
    for word in [content.high, content.low, UInt64(seq)] {
      unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    return hash128(bytes)
  }

  private func merge(
    _ patch: JSONValue, into json: ArraySlice<UInt8>
  ) throws(EditFault) -> [UInt8] {
    JSONMergePatch.apply(patch, to: try document(Array(json)).root)
  }

  package func snapshot(_ text: [UInt8]) throws(EditFault) -> Snapshot {
    let document = try document(text)
    do throws(SnapshotError) {
      return try Snapshot.read(document.root, limits: limits.snapshot, options: options)
    } catch {
      throw .badContent(SnapshotError(error.code, "", error.detail, limit: error.limit))
    }
  }

  package func document(_ text: [UInt8]) throws(EditFault) -> JSONDocument {
    do throws(JSONError) {
      return try reader.read(text)
    } catch {
      throw .badContent(SnapshotError(.badSnapshot, "", "\(error)"))
    }
  }
}
