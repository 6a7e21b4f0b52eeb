/// How long caches may keep answers about a public collection, in seconds.
public struct PublicAges: Hashable, Sendable {
  /// The collection as it is.
  public var snapshot = 1
  /// The same, while a newer answer is fetched.
  public var snapshotStale = 30
  /// The changes since a version.
  public var delta = 5
  /// The same, while a newer answer is fetched.
  public var deltaStale = 60
  /// What never changes: a version, and the delta between two of them.
  public var version = 31_536_000

  /// Creates the default ages.
  public init() {}

  /// Each age and its name in JSON.
  static var members: [(name: StaticString, age: WritableKeyPath<PublicAges, Int>)] {
    [
      ("snapshot", \.snapshot), ("snapshotStale", \.snapshotStale), ("delta", \.delta),
      ("deltaStale", \.deltaStale), ("version", \.version),
    ]
  }

  /// The ages with everything above a limit clamped.
  func clamped(to range: ClosedRange<Int>) -> PublicAges {
    var ages = self
    for (_, age) in Self.members {
      ages[keyPath: age] = min(max(self[keyPath: age], range.lowerBound), range.upperBound)
    }
    return ages
  }
}
