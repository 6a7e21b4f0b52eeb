import SnapshotJSON

/// A collection in an export: its content, its settings and its version.
public struct ExportedCollection: Sendable {
  /// Its name.
  public let name: ResourceName
  /// Its version, which an import keeps.
  public let version: VersionToken
  /// Whether it may take the place of another version of the collection.
  public var replaces = false
  package let settings: CollectionSettings
  /// Encoded hash overrides.
  package let overrides: [UInt8]?
  /// The document that readers get.
  package let snapshot: [UInt8]
}

extension ExportedCollection {
  /// Reads the line of a collection.
  init(
    _ root: JSONValue, _ line: [UInt8], _ limits: ServiceLimits
  ) throws(ServiceError) {
    if let unknown = root.unknownMember(besides: ["settings", "overrides", "snapshot"]) {
      throw .badLine(unknown.pointer, unknown.detail)
    }
    guard let snapshot = root["snapshot"], snapshot.kind == .object else {
      throw .badLine("/snapshot", "a line of an export has a snapshot")
    }
    guard let name = snapshot["collection"]?.string.flatMap({ ResourceName($0) }) else {
      throw .badIdentifier(pointer: "/snapshot/collection")
    }
    guard let version = snapshot["version"]?.string.flatMap({ VersionToken($0) }) else {
      throw .badToken(pointer: "/snapshot/version")
    }
    guard version.leavesRoom else {
      throw .badLine(
        "/snapshot/version",
        "the version leaves no room for those that follow: its number is at most "
          + "\(VersionToken.arrivingSeqMax), and its lineage short")
    }
    self.name = name
    self.version = version
    settings = try .read(
      root["settings"], pointer: "/settings", limits: limits.settingsLimits)
    overrides = try root["overrides"].map { value throws(ServiceError) in
      guard let bytes = value.string.flatMap(hexBytes) else {
        throw .badLine("/overrides", "overrides are hexadecimal digits")
      }
      return bytes
    }
    self.snapshot = Array(snapshot.rawBytes)
  }
}

extension ExportedCollection {
  /// Decodes the hash overrides; throws `badSnapshot` if they are corrupt.
  func hashOverrides(_ ids: inout IDTable) throws(ServiceError) -> HashOverrides {
    guard let overrides else { return HashOverrides() }
    do {
      return try HashOverrides(overrides, &ids)
    } catch {
      throw .badLine("/overrides", "the overrides are damaged: \(error.reason)")
    }
  }
}

extension ServiceError {
  static func badLine(_ pointer: String, _ detail: String) -> ServiceError {
    .badSnapshot(SnapshotError(.badSnapshot, pointer, detail))
  }
}

/// Parses two hexadecimal digits for each byte; returns `nil` for anything else.
private func hexBytes(_ text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2),
    digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 })
  else { return nil }
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
  }
}
