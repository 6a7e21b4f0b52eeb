import SnapshotJSON

/// A change to a collection's settings.
enum SettingsChange: Sendable {
  /// Replaces them, with defaults for missing members.
  case replace(CollectionSettings)
  /// Applies a merge patch to them (RFC 7396).
  case merge(JSONValue)

  /// Parses a change from a body.
  init(
    _ body: [UInt8], isPatch: Bool, _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) {
    let root = try reader.document(body).root
    self =
      isPatch ? .merge(root) : .replace(try .read(root, pointer: "", limits: limits.settingsLimits))
  }

  /// Returns the settings after the change; throws `badSettings` if the result of a patch is invalid.
  func settings(
    from current: CollectionSettings, _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) -> CollectionSettings {
    switch self {
    case .replace(let settings): return settings
    case .merge(let patch):
      var before = JSONWriter()
      before.write(current, limits: limits)
      let after = JSONMergePatch.apply(patch, to: try reader.document(before.bytes).root)
      return try .read(
        reader.document(after).root, pointer: "", limits: limits.settingsLimits)
    }
  }
}
