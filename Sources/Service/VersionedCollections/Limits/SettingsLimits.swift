/// Limits on the numbers, lists and pointers in a collection's settings.
public struct SettingsLimits: Hashable, Sendable {
  /// The most elements in a list, such as `sortBy` or `equality.ignore`.
  public var listMax = 64
  /// The longest JSON pointer in bytes.
  public var pointerBytesMax = 1024
  /// The most reference tokens in a JSON pointer.
  public var pointerTokensMax = 64
  /// The largest `animations` in bytes; every delta and snapshot includes them.
  public var animationsBytesMax = 64 << 10
  /// The most versions that a collection can have retained.
  ///
  /// The first reader of an older version costs a pass over all items for each version in between:
  /// about 0.1 ms for 100,000 items.
  public var retentionVersionsMax = 256
  /// The longest retention of versions in seconds; by default ten years.
  public var retentionSecondsMax = 315_360_000
  /// The most bytes of older versions that a collection can have retained.
  public var retentionBytesMax = 64 << 20
  /// The longest time in seconds for which caches may keep an answer about a public collection; by default a year.
  public var ageSecondsMax = 31_536_000
  /// The greatest animation threshold.
  public var animationThresholdMax = 1_000_000

  /// Whether `equality.ignore` may have the empty pointer, which earlier releases accepted and which changes nothing.
  var allowsWholeItems = false

  /// Creates the default limits of `docs/protocol.md`.
  public init() {}

  /// The range of `retention.versions`.
  public var versions: ClosedRange<Int> { 1...max(1, retentionVersionsMax) }
  /// The range of `retention.seconds`.
  public var seconds: ClosedRange<Int> { 0...max(0, retentionSecondsMax) }
  /// The range of `retention.bytes`.
  public var bytes: ClosedRange<Int> { 0...max(0, retentionBytesMax) }
  /// The range of each member of `ages`.
  public var ages: ClosedRange<Int> { 0...max(0, ageSecondsMax) }
  /// The range of both thresholds.
  public var thresholds: ClosedRange<Int> { 0...max(0, animationThresholdMax) }

  /// No limits, for stored settings, which are clamped afterwards.
  package static var none: SettingsLimits {
    var limits = SettingsLimits()
    limits.listMax = .max
    limits.pointerBytesMax = .max
    limits.pointerTokensMax = .max
    limits.animationsBytesMax = .max
    limits.retentionVersionsMax = .max
    limits.retentionSecondsMax = .max
    limits.retentionBytesMax = .max
    limits.animationThresholdMax = .max
    limits.ageSecondsMax = .max
    limits.allowsWholeItems = true
    return limits
  }
}
