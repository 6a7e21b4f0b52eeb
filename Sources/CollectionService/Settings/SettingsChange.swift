import SnapshotJSON

/// What becomes of a collection's settings.
enum SettingsChange: Sendable {
  /// These, and defaults for what they leave out.
  case replace(CollectionSettings)
  /// Those there are, with a merge patch (RFC 7396).
  case merge(JSONValue)

  /// Reads a change from a body.
  static func read(
    _ body: [UInt8], isPatch: Bool, _ reader: JSONReader, _ limits: ServiceLimits
  ) -> Result<SettingsChange, ServiceError> {
    let root: JSONValue
    do throws(JSONError) {
      root = try reader.read(body).root
    } catch {
      return .failure(.badJSON(error))
    }
    if isPatch { return .success(.merge(root)) }
    do throws(SettingsError) {
      return .success(.replace(try CollectionSettings(root, limits: limits.settingsLimits)))
    } catch {
      return .failure(.badSettings(error))
    }
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
      let after = JSONMergePatch.apply(patch, to: try Self.read(before.bytes, reader))
      let merged = try Self.read(after, reader)
      do throws(SettingsError) {
        return try CollectionSettings(merged, limits: limits.settingsLimits)
      } catch {
        throw .badSettings(error)
      }
    }
  }

  private static func read(
    _ text: [UInt8], _ reader: JSONReader
  ) throws(ServiceError) -> JSONValue {
    do throws(JSONError) {
      return try reader.read(text).root
    } catch {
      throw .badJSON(error)
    }
  }
}
