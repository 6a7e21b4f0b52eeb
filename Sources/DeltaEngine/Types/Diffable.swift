/// An item that the engine can compare: an identity, and whether the content is the same.
///
/// An item whose identity is in both versions is kept; a kept item whose content differs is
/// reloaded.
public protocol Diffable {
  /// The type of the identity.
  associatedtype DiffID: Hashable

  /// The identity; unique among all items of a version.
  var diffID: DiffID { get }

  /// Whether this and the other version of the same item have equal content.
  ///
  /// Called only for two values with equal `diffID`.
  func hasSameContent(as other: Self) -> Bool

  /// Whether identities may be compared and hashed as bits; given for a `BitwiseIdentity`.
  static var identityIsBitwise: Bool { get }
}

extension Diffable {
  /// False: identities are compared by `==` and hashed by `Hasher`.
  @inlinable public static var identityIsBitwise: Bool { false }
}

extension Diffable where DiffID: BitwiseIdentity {
  /// True: `BitwiseIdentity` promises it.
  @inlinable public static var identityIsBitwise: Bool { true }
}

/// A section: an identity, a header's content, and its items in order.
///
/// `diffID` is unique among the sections of a version; section and item identities are separate
/// namespaces. `hasSameContent(as:)` compares the header only, never the items.
public protocol DiffableSection: Diffable {
  /// The type of the items.
  associatedtype Item: Diffable

  /// The items, in order.
  var items: [Item] { get }
}

/// 128 bits that stand for a content: equal contents have equal hashes, and different contents
/// have, for all that chance can do, different ones.
///
/// Kept as four words of 32 bits, so that an item of a 32-bit number and this has 20 bytes and no
/// padding, whose bits could be anything and would hide that two items are equal.
public struct ContentHash: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline var words: (UInt32, UInt32, UInt32, UInt32)

  /// The upper 64 bits.
  @inlinable public var high: UInt64 { UInt64(words.1) &<< 32 | UInt64(words.0) }
  /// The lower 64 bits.
  @inlinable public var low: UInt64 { UInt64(words.3) &<< 32 | UInt64(words.2) }

  /// A hash of two halves.
  @inlinable public init(high: UInt64, low: UInt64) {
    words = (
      UInt32(truncatingIfNeeded: high), UInt32(truncatingIfNeeded: high >> 32),
      UInt32(truncatingIfNeeded: low), UInt32(truncatingIfNeeded: low >> 32)
    )
  }

  /// Whether all 128 bits are equal.
  @inlinable public static func == (lhs: Self, rhs: Self) -> Bool {
    let (one, other) = (lhs.words, rhs.words)
    let upper = (one.0 ^ other.0) | (one.1 ^ other.1)
    let lower = (one.2 ^ other.2) | (one.3 ^ other.3)
    return upper | lower == 0
  }

  /// Hashes all 128 bits.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }
}

/// An identity that occurs twice in one version: such a list has no delta.
public struct DuplicateIdentifier: Error, Hashable, Sendable {
  /// What was duplicated.
  public enum Kind: Hashable, Sendable {
    /// A section; only `section` of the two paths counts.
    case section
    /// An item.
    case item
  }

  /// The version in which it occurs twice.
  public enum Side: Hashable, Sendable {
    /// The version the delta starts from.
    case source
    /// The version the delta ends at.
    case target
  }

  /// What was duplicated.
  public var kind: Kind
  /// The version in which it occurs twice.
  public var side: Side
  /// The identity, as text.
  public var id: String
  /// The earlier place: section and item index in the version `side`.
  public var first: [Int]
  /// The later place, likewise.
  public var second: [Int]

  /// A duplicate at two places.
  @inlinable public init(kind: Kind, side: Side, id: String, first: [Int], second: [Int]) {
    self.kind = kind
    self.side = side
    self.id = id
    self.first = first
    self.second = second
  }
}

extension DuplicateIdentifier: CustomStringConvertible {
  /// What occurs twice and where, in one sentence.
  public var description: String {
    "\(side) \(kind) id \"\(id)\" occurs at \(first) and again at \(second)"
  }
}
