package import SnapshotJSON

extension JSONReader {
  package func document(_ text: [UInt8]) throws(ServiceError) -> JSONDocument {
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

  /// Rethrows an error in settings as `badSettings`, with the pointer to them prepended.
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

extension CollectionSettings {
  /// Reads settings inside another value; nil stands for the defaults.
  package static func read(
    _ value: JSONValue?, pointer: String, limits: SettingsLimits
  ) throws(ServiceError) -> CollectionSettings {
    guard let value else { return Self() }
    return try ServiceError.checking(settingsAt: pointer) { () throws(SettingsError) in
      try Self(value, limits: limits)
    }
  }
}
