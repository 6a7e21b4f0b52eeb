import DeltaEngine
import SnapshotJSON

extension JSONReader {
  /// Reads a text that a request brought.
  ///
  /// - Throws: `badJSON`.
  func document(_ text: [UInt8]) throws(ServiceError) -> JSONDocument {
    do throws(JSONError) {
      return try read(text)
    } catch {
      throw .badJSON(error)
    }
  }
}

extension ServiceError {
  /// Throws as `badSnapshot` what is wrong with a snapshot.
  static func checking<T>(_ body: () throws(SnapshotError) -> T) throws(ServiceError) -> T {
    do throws(SnapshotError) {
      return try body()
    } catch {
      throw .badSnapshot(error)
    }
  }

  /// Throws as `badSettings` what is wrong with settings.
  ///
  /// - Parameters:
  ///   - pointer: The JSON pointer to the settings, put before that of the error.
  ///   - body: Reads them.
  /// - Returns: What `body` returns.
  /// - Throws: `badSettings`.
  static func checking<T>(
    settingsAt pointer: String, _ body: () throws(SettingsError) -> T
  ) throws(ServiceError) -> T {
    do throws(SettingsError) {
      return try body()
    } catch {
      throw .badSettings(
        SettingsError(pointer: pointer + error.pointer, detail: error.detail, limit: error.limit))
    }
  }
}

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

  /// A hash that no content has: an item that gets it is reloaded though its content is the same.
  func reloadHash(_ content: ContentHash) -> ContentHash {
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
