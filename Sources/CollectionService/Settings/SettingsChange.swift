import SnapshotJSON

/// What becomes of a collection's settings.
enum SettingsChange: Sendable {
  /// These, and defaults for what they leave out.
  case replace(CollectionSettings)
  /// Those there are, with a merge patch (RFC 7396).
  case merge(JSONValue)

  /// Reads a change from a body.
  init(
    _ body: [UInt8], isPatch: Bool, _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) {
    let root = try reader.document(body).root
    self =
      isPatch ? .merge(root) : .replace(try .read(root, pointer: "", limits: limits.settingsLimits))
  }

  /// What comes of it.
  ///
  /// - Throws: `badSettings` when a patch makes none.
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
