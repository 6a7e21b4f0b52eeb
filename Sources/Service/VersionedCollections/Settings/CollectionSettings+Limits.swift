import SnapshotJSON

extension CollectionSettings {
  /// Returns the settings with everything that exceeds a limit clamped.
  ///
  /// Stored settings may have been accepted by a release or a configuration with other limits.
  func clamped(to limits: SettingsLimits) -> CollectionSettings {
    var settings = self
    let ignored = equalityIgnored.filter { limits.allowsWholeItems || !$0.tokens.isEmpty }
    settings.equalityIgnored = Array(ignored.prefix(limits.listMax))
    settings.sortRules = Array(sortRules.prefix(limits.listMax))
    if let rule = sectionRule {
      settings.sectionRule?.paths = Array(rule.paths.prefix(limits.listMax))
      settings.sectionRule?.headerFrom = Array(rule.headerFrom.prefix(limits.listMax))
    }
    if animations.map({ $0.count > limits.animationsBytesMax }) ?? false {
      settings.animations = nil
    }
    settings.dataCountAnimationThreshold = dataCountAnimationThreshold.map {
      limits.thresholds.clamp($0)
    }
    settings.deltaCountAnimationThreshold = deltaCountAnimationThreshold.map {
      limits.thresholds.clamp($0)
    }
    settings.ages = ages?.clamped(to: limits.ages)
    settings.retention = retention.map { $0.clamped(to: limits) }
    return settings
  }
}

extension Retention {
  fileprivate func clamped(to limits: SettingsLimits) -> Retention {
    var retention = self
    retention.versionsMax = limits.versions.clamp(versionsMax)
    retention.seconds = Int64(limits.seconds.clamp(Int(seconds)))
    retention.bytesMin = limits.bytes.clamp(bytesMin)
    return retention
  }
}

extension ClosedRange<Int> {
  fileprivate func clamp(_ value: Int) -> Int {
    Swift.min(Swift.max(value, lowerBound), upperBound)
  }
}

extension CollectionSettings {
  /// How long anybody may keep answers; nil if only some may read the collection.
  package var publicAges: PublicAges? { isPublic ? ages ?? PublicAges() : nil }

  /// The first bytes of the settings of a public collection as they are stored, and of no other's.
  package static let publicPrefix = Array(#"{"audience":"public""#.utf8)

  /// Whether anybody may read a version of the collection with these stored settings; false where they are damaged.
  package static func publish(_ version: VersionToken, stored text: [UInt8]) -> Bool {
    // An error means that the settings are damaged: nothing is published, and loading the collection reports it.
    guard let value = try? JSONReader().read(text).root,
      let settings = try? CollectionSettings(stored: StrictJSON(value))
    else { return false }
    return settings.isPublic && version.seq >= settings.publicSince ?? 0
  }
}
