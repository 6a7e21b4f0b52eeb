package import SnapshotJSON

extension JSONReader {
  package func document(_ text: [UInt8]) throws(ServiceError) -> StrictJSON {
    do throws(JSONError) {
      return try readStrictly(text)
    } catch {
      throw .badJSON(error)
    }
  }
}

extension StrictJSON {
  /// Returns the members of an object in a write; see ``object(of:)``.
  ///
  /// - Parameters:
  ///   - known: The names that it may have; nil for any.
  ///   - pointer: The JSON pointer to the object.
  ///   - form: A description of what is expected, for anything but an object.
  /// - Returns: The members.
  /// - Throws: `badSnapshot`.
  func object(
    of known: [String]? = nil, at pointer: String, _ form: String
  ) throws(SnapshotError) -> Object {
    do throws(MemberFault) {
      if let object = try object(of: known) { return object }
    } catch {
      throw SnapshotError(.badSnapshot, pointer + error.pointer, error.detail)
    }
    throw SnapshotError(.badSnapshot, pointer, form)
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

extension StrictJSON {
  /// Throws if a member of sent settings stands twice at any depth.
  func refuseRepeatedMembers() throws(SettingsError) {
    guard let fault = firstRepeatedMember else { return }
    throw SettingsError(pointer: fault.pointer, detail: fault.detail)
  }
}

extension CollectionSettings {
  /// Reads settings inside another value; nil stands for the defaults.
  package static func read(
    _ value: StrictJSON?, pointer: String, limits: SettingsLimits
  ) throws(ServiceError) -> CollectionSettings {
    guard let value else { return Self() }
    return try ServiceError.checking(settingsAt: pointer) { () throws(SettingsError) in
      try value.refuseRepeatedMembers()
      return try Self(value, limits: limits)
    }
  }
}

extension SnapshotError {
  package init(_ code: Code, _ pointer: String, _ detail: String, limit: Int? = nil) {
    self.init(
      code: code, entries: [Entry(pointer: pointer, detail: detail)], detail: detail, limit: limit)
  }
}
