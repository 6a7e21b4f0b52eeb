import SnapshotJSON

/// The lines of an export, an NDJSON text with everything that one client has.
///
/// ```text
/// {"format":"livedelta-export","formatVersion":1,"client":"u42"}
/// {"settings":{…},"snapshot":{"kind":"snapshot","collection":"cart","version":…,"sections":[…]}}
/// {"end":true,"collections":1}
/// ```
public enum ExportLine: Sendable {
  /// The first line: whose collections follow.
  case head(client: String)
  case collection(ExportedCollection)
  /// The last line; without it the export is incomplete.
  case end

  static let format = "livedelta-export"
  static let formatVersion = 1

  /// Returns the first line, without a line feed.
  public static func headLine(of client: ResourceName) -> [UInt8] {
    JSONWriter.object {
      $0.member("format", format)
      $0.member("formatVersion", formatVersion)
      $0.member("client", client.text)
    }
  }

  /// Returns the last line, without a line feed.
  public static func endLine(collectionCount: Int) -> [UInt8] {
    JSONWriter.object {
      $0.member("end", true)
      $0.member("collections", collectionCount)
    }
  }
}

extension CollectionState {
  /// The line of the collection in an export, without a line feed.
  package var exportLine: [UInt8] {
    let plain = SnapshotEncodingInput(sections: sections, ids: ids, contents: contents)
    var writer = JSONWriter(capacity: contents.byteCount + 512)
    writer.beginObject()
    writer.key("settings")
    writer.write(settings, limits: nil)
    if let overrides = overrides.encoded(ids) { writer.member("overrides", hexText(overrides)) }
    writer.member(
      "snapshot", raw: SnapshotText.head(token, name) + SnapshotText.content(plain))
    writer.endObject()
    return writer.bytes
  }
}

/// Two hexadecimal digits for each byte.
private func hexText(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

extension ExportLine {
  /// Parses a line.
  ///
  /// - Parameters:
  ///   - line: JSON text.
  ///   - limits: The limits of the service.
  /// - Throws: `badJSON`, `badSettings` or `badSnapshot`.
  public init(_ line: [UInt8], _ limits: ServiceLimits) throws(ServiceError) {
    // The snapshot is one level deeper than in a request of its own.
    let root = try JSONReader(depthMax: limits.depthMax + 1).document(line).root
    if root["end"] != nil {
      self = .end
    } else if let format = root["format"] {
      guard format.string == Self.format,
        root["formatVersion"]?.int == Self.formatVersion, let client = root["client"]?.string
      else { throw .badLine("/format", "this is not an export that this release can read") }
      self = .head(client: client)
    } else {
      self = .collection(try ExportedCollection(root, line, limits))
    }
  }
}
