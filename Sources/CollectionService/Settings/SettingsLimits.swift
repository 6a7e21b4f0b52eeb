/// How large the numbers, lists and pointers of a collection's settings may be.
public struct SettingsLimits: Hashable, Sendable {
  /// The most elements of a list, such as `sortBy` or `equality.ignore`.
  public var listMax = 64
  /// The most bytes of a JSON pointer.
  public var pointerBytesMax = 1024
  /// The most reference tokens of a JSON pointer.
  public var pointerTokensMax = 64
  /// The most bytes of `animations`, which every delta and snapshot carries.
  public var animationsBytesMax = 64 << 10
  /// The most versions that a collection may ask to be kept.
  ///
  /// An older version costs its first reader a step over all items for each version that lies
  /// between: about 0.1 ms for 100,000 items.
  public var retentionVersionsMax = 256
  /// The longest time, in seconds, that versions may be kept: ten years.
  public var retentionSecondsMax = 315_360_000
  /// The most bytes of older versions that a collection may ask to be kept.
  public var retentionBytesMax = 64 << 20
  /// The greatest threshold of animations.
  public var animationThresholdMax = 1_000_000

  /// The limits that `docs/protocol.md` gives.
  public init() {}

  /// The bounds of `retention.versions`.
  public var versions: ClosedRange<Int> { 1...max(1, retentionVersionsMax) }
  /// The bounds of `retention.seconds`.
  public var seconds: ClosedRange<Int> { 0...max(0, retentionSecondsMax) }
  /// The bounds of `retention.bytes`.
  public var bytes: ClosedRange<Int> { 0...max(0, retentionBytesMax) }
  /// The bounds of both thresholds.
  public var thresholds: ClosedRange<Int> { 0...max(0, animationThresholdMax) }

  /// No limits: for settings that were taken by an earlier release, and are then clamped.
  static var none: SettingsLimits {
    var limits = SettingsLimits()
    limits.listMax = .max
    limits.pointerBytesMax = .max
    limits.pointerTokensMax = .max
    limits.animationsBytesMax = .max
    limits.retentionVersionsMax = .max
    limits.retentionSecondsMax = .max
    limits.retentionBytesMax = .max
    limits.animationThresholdMax = .max
    return limits
  }
}

extension ServiceLimits {
  /// The limits of settings, which leave room for what the service itself has as defaults.
  public var settingsLimits: SettingsLimits {
    var limits = settings
    limits.retentionVersionsMax = max(limits.retentionVersionsMax, retention.versionsMax)
    limits.retentionSecondsMax = max(limits.retentionSecondsMax, Int(retention.seconds))
    limits.retentionBytesMax = max(limits.retentionBytesMax, retention.bytesMin)
    limits.animationThresholdMax = max(
      limits.animationThresholdMax, dataCountAnimationThreshold, deltaCountAnimationThreshold)
    return limits
  }
}

extension CollectionSettings {
  /// The settings with every number, list and preference that is over a limit cut to it.
  ///
  /// What a store gives back may have been taken by a release, or under a configuration, with
  /// other limits.
  func clamped(to limits: SettingsLimits) -> CollectionSettings {
    var settings = self
    settings.equalityIgnored = Array(equalityIgnored.prefix(limits.listMax))
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
