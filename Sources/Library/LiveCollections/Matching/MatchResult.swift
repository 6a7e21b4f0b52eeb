/// The comparison of two values, of identity and content in one.
public enum MatchResult: Hashable, Sendable {
  /// The same identity and an equal value.
  case sameIdentityEqualValue
  /// The same identity and another value.
  case sameIdentityInequalValue
  /// Another identity.
  case differentIdentity

  /// Compares two values that are known to have the same identity.
  public static func sameIdentityCompare<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Self {
    lhs == rhs ? .sameIdentityEqualValue : .sameIdentityInequalValue
  }

  /// Compares two values without an identity: unequal values are different things.
  public static func noIdentityCompare<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Self {
    lhs == rhs ? .sameIdentityEqualValue : .differentIdentity
  }

  /// Adds a condition for equal values.
  ///
  /// ```swift
  /// func match(_ other: Song) -> MatchResult {
  ///   .noIdentityCompare(id, other.id) && title == other.title && length == other.length
  /// }
  /// ```
  public static func && (lhs: Self, rhs: @autoclosure () -> Bool) -> Self {
    guard lhs == .sameIdentityEqualValue else { return lhs }
    return rhs() ? .sameIdentityEqualValue : .sameIdentityInequalValue
  }
}

/// A value that compares identity and content in one call, without an id that could be hashed.
public protocol Matchable: Equatable {
  /// Compares this and another value; symmetric.
  func match(_ other: Self) -> MatchResult
}

extension Matchable {
  /// Whether identity and value are the same.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.match(rhs) == .sameIdentityEqualValue
  }
}

extension Matchable where Self: SelfIdentifying {
  /// Unequal values have different identities.
  public func match(_ other: Self) -> MatchResult { .noIdentityCompare(self, other) }
}
