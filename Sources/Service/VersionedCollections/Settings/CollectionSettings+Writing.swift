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
  ///   - limits: The service's values for unset members; nil to omit those members, and write what is only stored.
  public mutating func write(_ settings: CollectionSettings, limits: ServiceLimits?) {
    beginObject()
    // First, so that stores recognize a public collection by its settings' first bytes.
    if settings.isPublic {
      member("audience", "public")
      if limits == nil, let seq = settings.publicSince { member("publicSince", seq) }
    } else if limits != nil {
      member("audience", "private")
    }
    if let ages = settings.ages ?? (limits == nil ? nil : settings.publicAges) { write(ages) }
    member("identity", settings.identity == .unique ? "unique" : "occurrence")
    beginObject("equality")
    write("ignore", settings.equalityIgnored)
    endObject()
    member("idPath", settings.idPath.description)
    member("itemsPath", settings.itemsPath.description)
    member("sectionsPath", settings.sectionsPath.description)
    if let rule = settings.sectionRule { write(rule) }
    if !settings.sortRules.isEmpty { write(settings.sortRules) }
    member("emptySections", settings.dropsEmptySections ? "drop" : "keep")
    if let count = settings.dataCountAnimationThreshold ?? limits?.dataCountAnimationThreshold {
      member("dataCountAnimationThreshold", count)
    }
    if let count = settings.deltaCountAnimationThreshold ?? limits?.deltaCountAnimationThreshold {
      member("deltaCountAnimationThreshold", count)
    }
    if let animations = settings.animations { member("animations", raw: animations) }
    if let retention = settings.retention ?? limits?.retention { write(retention) }
    endObject()
  }

  private mutating func write(_ rule: SectionRule) {
    beginObject("sectionBy")
    if rule.paths.count == 1 {
      member("path", rule.paths[0].description)
    } else {
      write("path", rule.paths)
    }
    write("headerFrom", rule.headerFrom)
    if let other = rule.other { member("other", other) }
    endObject()
  }

  private mutating func write(_ rules: [SortRule]) {
    array("sortBy", rules) { writer, rule in
      writer.object {
        $0.member("path", rule.path.description)
        $0.member("order", rule.isDescending ? "desc" : "asc")
        if let kind = rule.kind { $0.member("type", kind.rawValue) }
        if rule.foldsCase { $0.member("fold", true) }
        if rule.isNatural { $0.member("natural", true) }
      }
    }
  }

  private mutating func write(_ ages: PublicAges) {
    beginObject("ages")
    for (name, age) in PublicAges.members { member(name, ages[keyPath: age]) }
    endObject()
  }

  private mutating func write(_ retention: Retention) {
    beginObject("retention")
    member("versions", retention.versionsMax)
    member("seconds", Int(retention.seconds))
    member("bytes", retention.bytesMin)
    endObject()
  }

  private mutating func write(_ name: StaticString, _ pointers: [JSONPointer]) {
    array(name, pointers) { $0.string($1.description) }
  }
}
