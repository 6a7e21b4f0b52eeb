import SnapshotJSON

/// The data of a collection that is stored separately from its versions; nil where there is none.
public struct StoredSettings: Hashable, Sendable {
  /// The settings, as JSON text.
  public var settings: [UInt8]?
  /// Encoded hash overrides.
  public var overrides: [UInt8]?

  /// Creates settings from stored data.
  public init(settings: [UInt8]?, overrides: [UInt8]?) {
    self.settings = settings
    self.overrides = overrides
  }

  package init(_ settings: CollectionSettings, _ overrides: HashOverrides, _ ids: IDTable) {
    if settings != CollectionSettings() {
      var writer = JSONWriter()
      writer.write(settings, limits: nil)
      self.settings = writer.bytes
    }
    self.overrides = overrides.encoded(ids)
  }
}
