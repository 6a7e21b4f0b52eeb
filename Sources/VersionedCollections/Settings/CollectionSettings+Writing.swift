public import SnapshotJSON

extension CollectionSettings {
  /// A tag that identifies these settings: 16 hexadecimal digits.
  public var tag: String {
    var writer = JSONWriter()
    writer.write(self, limits: nil)
    let digits = String(hash64(writer.bytes), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension JSONWriter {
  /// Writes settings with every member, including defaults.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - limits: The service's values for unset members; nil to omit those members.
  public mutating func write(_ settings: CollectionSettings, limits: ServiceLimits?) {
    beginObject()
    member("identity", settings.identity == .unique ? "unique" : "occurrence")
    key("equality")
    beginObject()
    key("ignore")
    strings(settings.equalityIgnored.map(\.description))
    endObject()
    member("idPath", settings.idPath.description)
    member("itemsPath", settings.itemsPath.description)
    member("sectionsPath", settings.sectionsPath.description)
    if let rule = settings.sectionRule { write(rule) }
    if !settings.sortRules.isEmpty { write(settings.sortRules) }
    member("emptySections", settings.dropsEmptySections ? "drop" : "keep")
    if let path = settings.nestedPath {
      key("nested")
      beginObject()
      member("path", path.description)
      if let idPath = settings.nestedIDPath { member("idPath", idPath.description) }
      endObject()
    }
    optional(
      "dataCountAnimationThreshold",
      settings.dataCountAnimationThreshold ?? limits?.dataCountAnimationThreshold)
    optional(
      "deltaCountAnimationThreshold",
      settings.deltaCountAnimationThreshold ?? limits?.deltaCountAnimationThreshold)
    if let animations = settings.animations {
      key("animations")
      raw(animations)
    }
    if let retention = settings.retention ?? limits?.retention { write(retention) }
    endObject()
  }

  private mutating func write(_ rule: SectionRule) {
    key("sectionBy")
    beginObject()
    key("path")
    if rule.paths.count == 1 {
      string(rule.paths[0].description)
    } else {
      strings(rule.paths.map(\.description))
    }
    key("headerFrom")
    strings(rule.headerFrom.map(\.description))
    if let other = rule.other { member("other", other) }
    endObject()
  }

  private mutating func write(_ rules: [SortRule]) {
    key("sortBy")
    beginArray()
    for rule in rules {
      beginObject()
      member("path", rule.path.description)
      member("order", rule.isDescending ? "desc" : "asc")
      member("type", rule.kind.rawValue)
      if rule.foldsCase { member("fold", true) }
      if rule.isNatural { member("natural", true) }
      endObject()
    }
    endArray()
  }

  private mutating func write(_ retention: Retention) {
    key("retention")
    beginObject()
    key("versions")
    number(retention.versionsMax)
    key("seconds")
    number(Int(retention.seconds))
    key("bytes")
    number(retention.bytesMin)
    endObject()
  }

  private mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    string(text)
  }

  private mutating func optional(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    key(name)
    number(value)
  }

  private mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
