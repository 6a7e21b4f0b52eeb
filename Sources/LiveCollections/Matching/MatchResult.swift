/// The comparison of two values, of identity and content in one.
public enum MatchResult: Hashable, Sendable {
  /// The same thing, showing the same.
  case sameIdentityEqualValue
  /// The same thing, showing something else.
  case sameIdentityInequalValue
  /// Two things.
  case differentIdentity

  /// Compares two values that are known to be the same thing.
  public static func sameIdentityCompare<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Self {
    lhs == rhs ? .sameIdentityEqualValue : .sameIdentityInequalValue
  }

  /// Compares two values that have no identity: what differs is another thing.
  public static func noIdentityCompare<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Self {
    lhs == rhs ? .sameIdentityEqualValue : .differentIdentity
  }

  /// Compares further: equal so far, and equal only if this holds too.
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

/// A value that can say, of another one, whether it is the same and shows the same.
///
/// The answer takes nothing but the two values: no identity to take out and hash.
public protocol Matchable: Equatable {
  /// Compares this and another value; symmetric.
  func match(_ other: Self) -> MatchResult
}

extension Matchable {
  /// Whether both are the same and show the same.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.match(rhs) == .sameIdentityEqualValue
  }
}

extension Matchable where Self: SelfIdentifying {
  /// A value that differs is another one.
  public func match(_ other: Self) -> MatchResult { .noIdentityCompare(self, other) }
}

extension String: Matchable {}
extension Int: Matchable {}
extension Double: Matchable {}
extension Float: Matchable {}

extension Bool: Matchable {
  /// A value that differs is another one.
  public func match(_ other: Self) -> MatchResult { .noIdentityCompare(self, other) }
}
