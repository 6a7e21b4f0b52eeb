public import SnapshotJSON

/// Settings that are none, and where.
public struct SettingsError: Error, Hashable, Sendable {
  /// The JSON pointer to the member.
  public var pointer: String
  /// What is wrong with it.
  public var detail: String
}

extension CollectionSettings {
  /// Reads settings; members that are left out, or null, have their defaults.
  ///
  /// - Throws: `SettingsError` for members that are unknown or have no meaning.
  public init(_ value: JSONValue) throws(SettingsError) {
    guard value.kind == .object else { throw Self.fault("", "settings are an object") }
    for member in value.members where !member.value.isNull {
      try read(member.key, SettingValue(value: member.value, place: "/" + member.key))
    }
    try checkNested()
  }

  /// A list inside an item is a part of its content, and does not hold its id.
  private func checkNested() throws(SettingsError) {
    guard let path = nestedPath else { return }
    if path.tokens.isEmpty || idPath.tokens.starts(with: path.tokens) {
      throw Self.fault("/nested/path", "the list inside an item is not where its id is")
    }
    if equalityIgnored.contains(where: {
      !$0.tokens.isEmpty && path.tokens.starts(with: $0.tokens)
    }) {
      throw Self.fault("/nested/path", "equality.ignore leaves the list out of the content")
    }
  }

  /// Reads settings that are a part of something else; nil stands for the defaults.
  static func read(
    _ value: JSONValue?, pointer: String
  ) -> Result<CollectionSettings, ServiceError> {
    do throws(SettingsError) {
      return .success(try value.map { value throws(SettingsError) in try Self(value) } ?? Self())
    } catch {
      return .failure(
        .badSettings(SettingsError(pointer: pointer + error.pointer, detail: error.detail)))
    }
  }

  private static func fault(_ pointer: String, _ detail: String) -> SettingsError {
    SettingsError(pointer: pointer, detail: detail)
  }

  private mutating func read(_ name: String, _ value: SettingValue) throws(SettingsError) {
    switch name {
    case "identity":
      identity = try value.word(["unique": .unique, "occurrence": .occurrence])
    case "equality":
      equalityIgnored = try value.object(["ignore"])["ignore"]?.pointers() ?? []
    case "equality.ignore": equalityIgnored = try value.pointers()
    case "idPath": idPath = try value.pointer()
    case "itemsPath": itemsPath = try value.pointer()
    case "sectionsPath": sectionsPath = try value.pointer()
    case "sectionBy": sectionRule = try value.sectionRule()
    case "sortBy": sortRules = try value.sortRules()
    case "emptySections": dropsEmptySections = try value.word(["keep": false, "drop": true])
    case "nested": try readNested(value)
    case "dataCountAnimationThreshold": dataCountAnimationThreshold = try value.count()
    case "deltaCountAnimationThreshold": deltaCountAnimationThreshold = try value.count()
    case "animations":
      _ = try value.object(nil)
      animations = value.value.minified()
    case "retention": retention = try value.retention()
    default: throw Self.fault("/" + name, "there is no setting \(name)")
    }
  }
}

extension CollectionSettings {
  fileprivate mutating func readNested(_ value: SettingValue) throws(SettingsError) {
    let members = try value.object(["path", "idPath"])
    guard let path = members["path"] else { throw value.fault("nested has a path") }
    nestedPath = try path.pointer()
    nestedIDPath = try members["idPath"]?.pointer()
  }
}

/// A member of settings as it came.
private struct SettingValue {
  let value: JSONValue
  /// The JSON pointer to it.
  let place: String

  func fault(_ detail: String) -> SettingsError {
    SettingsError(pointer: place, detail: detail)
  }

  /// One of some words.
  func word<T>(_ words: [String: T]) throws(SettingsError) -> T {
    guard let word = value.string.flatMap({ words[$0] }) else {
      throw fault("expected one of " + words.keys.sorted().joined(separator: ", "))
    }
    return word
  }

  func count() throws(SettingsError) -> Int {
    guard let count = value.int, count >= 0 else { throw fault("expected a number from 0") }
    return count
  }

  func pointer() throws(SettingsError) -> JSONPointer {
    guard let pointer = value.string.flatMap({ JSONPointer($0) }) else {
      throw fault("expected a JSON pointer (RFC 6901), such as /id")
    }
    return pointer
  }

  func pointers() throws(SettingsError) -> [JSONPointer] {
    var pointers: [JSONPointer] = []
    for element in try array() { pointers.append(try element.pointer()) }
    return pointers
  }

  func array() throws(SettingsError) -> [SettingValue] {
    guard value.kind == .array else { throw fault("expected an array") }
    return value.elements.enumerated().map {
      SettingValue(value: $1, place: "\(place)/\($0)")
    }
  }

  /// The members of an object; nil allows any.
  func object(_ names: Set<String>?) throws(SettingsError) -> [String: SettingValue] {
    guard value.kind == .object else { throw fault("expected an object") }
    var members: [String: SettingValue] = [:]
    for member in value.members {
      let inner = SettingValue(value: member.value, place: "\(place)/\(member.key)")
      guard names?.contains(member.key) ?? true else { throw inner.fault("unknown") }
      members[member.key] = inner
    }
    return members
  }

  func sectionRule() throws(SettingsError) -> SectionRule {
    if value.kind == .string { return SectionRule(paths: [try pointer()]) }
    let members = try object(["path", "headerFrom"])
    guard let path = members["path"] else { throw fault("sectionBy has a path") }
    let paths = path.value.kind == .array ? try path.pointers() : [try path.pointer()]
    guard !paths.isEmpty else { throw path.fault("expected at least one pointer") }
    return SectionRule(paths: paths, headerFrom: try members["headerFrom"]?.pointers() ?? [])
  }

  func sortRules() throws(SettingsError) -> [SortRule] {
    var rules: [SortRule] = []
    for element in try array() {
      let members = try element.object(["path", "order", "type"])
      guard let path = members["path"] else { throw element.fault("sortBy has a path") }
      rules.append(
        SortRule(
          path: try path.pointer(),
          isDescending: try members["order"]?.word(["asc": false, "desc": true]) ?? false,
          kind: try members["type"]?.word(["text": .text, "number": .number, "date": .date])
            ?? .text))
    }
    return rules
  }

  func retention() throws(SettingsError) -> Retention {
    let members = try object(["versions", "seconds", "bytes"])
    var retention = Retention()
    if let versions = members["versions"] {
      retention.versionsMax = max(1, try versions.count())
    }
    if let seconds = members["seconds"] { retention.seconds = Int64(try seconds.count()) }
    if let bytes = members["bytes"] { retention.bytesMin = try bytes.count() }
    return retention
  }
}
