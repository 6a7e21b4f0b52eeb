import DeltaEngine
import SnapshotJSON

extension JSONReader {
  /// Parses a text from a request.
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
  /// Rethrows an error in a snapshot as `badSnapshot`.
  static func checking<T>(_ body: () throws(SnapshotError) -> T) throws(ServiceError) -> T {
    do throws(SnapshotError) {
      return try body()
    } catch {
      throw .badSnapshot(error)
    }
  }

  /// Rethrows an error in settings as `badSettings`.
  ///
  /// - Parameters:
  ///   - pointer: The JSON pointer to the settings, prepended to that of the error.
  ///   - body: Reads the settings.
  /// - Returns: The result of `body`.
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

/// What edits need besides the draft: a JSON reader, the limits and the number of the new version.
struct EditTools {
  let reader: JSONReader
  let limits: ServiceLimits
  let seq: Int
  /// The options for reading items.
  var options = SnapshotOptions()

  /// Applies a merge patch to an item; returns a snapshot of one item.
  func item(
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
