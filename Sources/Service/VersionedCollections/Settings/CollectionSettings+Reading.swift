public import SnapshotJSON

/// An error in settings.
public struct SettingsError: Error, Hashable, Sendable {
  /// The JSON pointer to the member.
  public var pointer: String
  /// A description of the error.
  public var detail: String
  /// The limit that was exceeded, if any.
  public var limit: Int?
}

extension CollectionSettings {
  /// Reads settings; missing and null members have their defaults.
  ///
  /// - Throws: `SettingsError` if a member is unknown, invalid or exceeds a limit.
  public init(
    _ value: StrictJSON, limits: SettingsLimits = SettingsLimits()
  ) throws(SettingsError) {
    try self.init(value, limits: limits, isStored: false)
  }

  private init(
    _ value: StrictJSON, limits: SettingsLimits, isStored: Bool
  ) throws(SettingsError) {
    let object: StrictJSON.Object?
    do throws(MemberFault) { object = try value.object() } catch {
      throw Self.fault(error.pointer, error.detail)
    }
    guard let object else { throw Self.fault("", "settings are an object") }
    for (name, value) in object.members where !value.isNull {
      if isStored, name == "publicSince" {
        publicSince = value.int
        continue
      }
      try read(name, SettingValue(value: value, place: "/" + name, limits: limits))
    }
  }

  /// Reads stored settings, which may have been accepted under other limits.
  ///
  /// - Throws: `SettingsError` if no release would have accepted them.
  package init(stored value: StrictJSON) throws(SettingsError) {
    try self.init(value, limits: .none, isStored: true)
  }

  private static func fault(_ pointer: String, _ detail: String) -> SettingsError {
    SettingsError(pointer: pointer, detail: detail)
  }

  private mutating func read(_ name: String, _ value: SettingValue) throws(SettingsError) {
    switch name {
    case "audience": isPublic = try value.word(["private": false, "public": true])
    case "ages": ages = try value.ages()
    case "identity":
      identity = try value.word(["unique": .unique, "occurrence": .occurrence])
    case "equality":
      equalityIgnored = try value.object(["ignore"])["ignore"]?.memberPointers() ?? []
    case "equality.ignore": equalityIgnored = try value.memberPointers()
    case "idPath": idPath = try value.pointer()
    case "itemsPath": itemsPath = try value.pointer()
    case "sectionsPath": sectionsPath = try value.pointer()
    case "sectionBy": sectionRule = try value.sectionRule()
    case "sortBy": sortRules = try value.sortRules()
    case "emptySections": dropsEmptySections = try value.word(["keep": false, "drop": true])
    case "dataCountAnimationThreshold":
      dataCountAnimationThreshold = try value.integer(in: value.limits.thresholds)
    case "deltaCountAnimationThreshold":
      deltaCountAnimationThreshold = try value.integer(in: value.limits.thresholds)
    case "animations": animations = try value.animations()
    case "retention": retention = try value.retention()
    default:
      let suggestion = JSONValue.suggestion(for: name, among: Self.names)
      throw Self.fault("/" + name, "there is no setting \(name.prefix(64))" + suggestion)
    }
  }
}

extension CollectionSettings {
  private static let names = [
    "audience", "ages", "identity", "equality", "equality.ignore", "idPath", "itemsPath",
    "sectionsPath", "sectionBy", "sortBy", "emptySections", "dataCountAnimationThreshold",
    "deltaCountAnimationThreshold", "animations", "retention",
  ]
}

private struct SettingValue {
  let value: StrictJSON
  /// The JSON pointer to it.
  let place: String
  let limits: SettingsLimits

  func fault(_ detail: String, limit: Int? = nil) -> SettingsError {
    SettingsError(pointer: place, detail: detail, limit: limit)
  }

  func word<T>(_ words: [String: T]) throws(SettingsError) -> T {
    guard let word = value.string.flatMap({ words[$0] }) else {
      throw fault("expected one of " + words.keys.sorted().joined(separator: ", "))
    }
    return word
  }

  func integer(in range: ClosedRange<Int>) throws(SettingsError) -> Int {
    guard value.isInteger, let number = value.int, range.contains(number) else {
      let isBelow = !value.isInteger || value.rawBytes.first == UInt8(ascii: "-")
      let limit = isBelow ? range.lowerBound : range.upperBound
      throw fault(
        "expected an integer from \(range.lowerBound) to \(range.upperBound)", limit: limit)
    }
    return number
  }

  func pointer() throws(SettingsError) -> JSONPointer {
    guard value.rawBytes.count <= limits.pointerBytesMax else {
      throw fault(
        "a pointer has at most \(limits.pointerBytesMax) bytes", limit: limits.pointerBytesMax)
    }
    guard let pointer = value.string.flatMap({ JSONPointer($0) }) else {
      throw fault("expected a JSON pointer (RFC 6901), such as /id")
    }
    guard pointer.tokens.count <= limits.pointerTokensMax else {
      throw fault(
        "a pointer has at most \(limits.pointerTokensMax) tokens", limit: limits.pointerTokensMax)
    }
    return pointer
  }

  func animations() throws(SettingsError) -> [UInt8] {
    guard value.kind == .object else { throw fault("expected an object") }
    let text = value.content.minified()
    guard text.count <= limits.animationsBytesMax else {
      throw fault(
        "animations have at most \(limits.animationsBytesMax) bytes, not \(text.count)",
        limit: limits.animationsBytesMax)
    }
    return text
  }

  func pointers() throws(SettingsError) -> [JSONPointer] {
    var pointers: [JSONPointer] = []
    for element in try array() { pointers.append(try element.pointer()) }
    return pointers
  }

  /// Pointers to members of items; the empty one would leave nothing of an item to compare.
  func memberPointers() throws(SettingsError) -> [JSONPointer] {
    let pointers = try pointers()
    guard let index = pointers.firstIndex(where: \.tokens.isEmpty), !limits.allowsWholeItems else {
      return pointers
    }
    throw SettingsError(
      pointer: "\(place)/\(index)",
      detail: "the empty pointer is the whole item, of which nothing would be compared")
  }

  func array() throws(SettingsError) -> [SettingValue] {
    guard value.kind == .array else { throw fault("expected an array") }
    let elements = Array(value.elements)
    guard elements.count <= limits.listMax else {
      throw fault("a list has at most \(limits.listMax) elements", limit: limits.listMax)
    }
    return elements.enumerated().map {
      SettingValue(value: $1, place: "\(place)/\($0)", limits: limits)
    }
  }

  func object(_ names: Set<String>) throws(SettingsError) -> [String: SettingValue] {
    let object: StrictJSON.Object?
    do throws(MemberFault) { object = try value.object(of: names.sorted()) } catch {
      throw SettingsError(pointer: place + error.pointer, detail: error.detail)
    }
    guard let object else { throw fault("expected an object") }
    var members: [String: SettingValue] = [:]
    for (name, value) in object.members {
      members[name] = SettingValue(value: value, place: "\(place)/\(name)", limits: limits)
    }
    return members
  }

  func sectionRule() throws(SettingsError) -> SectionRule {
    if value.kind == .string { return SectionRule(paths: [try pointer()]) }
    let members = try object(["path", "headerFrom", "other"])
    guard let path = members["path"] else { throw fault("sectionBy has a path") }
    let paths = path.value.kind == .array ? try path.pointers() : [try path.pointer()]
    guard !paths.isEmpty else { throw path.fault("expected at least one pointer") }
    return SectionRule(
      paths: paths, headerFrom: try members["headerFrom"]?.pointers() ?? [],
      other: try members["other"]?.sectionID())
  }

  func sortRules() throws(SettingsError) -> [SortRule] {
    var rules: [SortRule] = []
    for element in try array() {
      let members = try element.object(["path", "order", "type", "fold", "natural"])
      guard let path = members["path"] else { throw element.fault("sortBy has a path") }
      var rule = SortRule(path: try path.pointer())
      rule.isDescending = try members["order"]?.word(["asc": false, "desc": true]) ?? false
      rule.kind =
        try members["type"]?.word(["text": .text, "number": .number, "date": .date]) ?? .text
      for (name, flag) in [("fold", \SortRule.foldsCase), ("natural", \.isNatural)] {
        guard let member = members[name] else { continue }
        rule[keyPath: flag] = try member.bool()
        guard rule.kind == .text else { throw member.fault("\(name) is for texts") }
      }
      rules.append(rule)
    }
    return rules
  }

  private func bool() throws(SettingsError) -> Bool {
    guard let bool = value.bool else { throw fault("expected true or false") }
    return bool
  }

  /// The id of the section for items without one.
  private func sectionID() throws(SettingsError) -> String {
    guard let id = value.string, !id.isEmpty else { throw fault("expected the id of a section") }
    guard id.utf8.count <= limits.pointerBytesMax else {
      throw fault(
        "the id has at most \(limits.pointerBytesMax) bytes", limit: limits.pointerBytesMax)
    }
    return id
  }

  func ages() throws(SettingsError) -> PublicAges {
    let members = try object(Set(PublicAges.members.map { "\($0.name)" }))
    var ages = PublicAges()
    for (name, age) in PublicAges.members {
      guard let member = members["\(name)"] else { continue }
      ages[keyPath: age] = try member.integer(in: limits.ages)
    }
    return ages
  }

  func retention() throws(SettingsError) -> Retention {
    let members = try object(["versions", "seconds", "bytes"])
    var retention = Retention()
    if let versions = members["versions"] {
      retention.versionsMax = try versions.integer(in: limits.versions)
    }
    if let seconds = members["seconds"] {
      retention.seconds = Int64(try seconds.integer(in: limits.seconds))
    }
    if let bytes = members["bytes"] { retention.bytesMin = try bytes.integer(in: limits.bytes) }
    return retention
  }
}
