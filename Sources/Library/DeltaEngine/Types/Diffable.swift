/// An element that the engine can compare: an identity, and equality of content.
///
/// An element whose identity is in both versions is kept; a kept element whose content differs is
/// reloaded.
public protocol Diffable {
  /// The type of the identity.
  associatedtype DiffID: Hashable

  /// The identity, which must be unique among all items of a version.
  var diffID: DiffID { get }

  /// Returns whether this and another version of the same item have equal content.
  ///
  /// It is called only for values with equal `diffID`.
  func hasSameContent(as other: Self) -> Bool
}

/// A section: an identity, a header's content, and its items in order.
///
/// `diffID` must be unique among the sections of a version; section and item identities are
/// separate namespaces. `hasSameContent(as:)` compares only the header, not the items.
public protocol DiffableSection: Diffable {
  /// The type of the items.
  associatedtype Item: Diffable

  /// The items, in order.
  var items: [Item] { get }
}

/// A 128-bit hash of some content.
///
/// Equal contents have equal hashes; different contents have different hashes, except by a
/// negligible chance.
///
/// Stored as four 32-bit words, so that an item of a 32-bit number and a hash has 20 bytes without
/// padding. Padding could have any bits and would hide that two items are equal.
public struct ContentHash: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline var words: (UInt32, UInt32, UInt32, UInt32)

  /// The upper 64 bits.
  @inlinable public var high: UInt64 { UInt64(words.1) &<< 32 | UInt64(words.0) }
  /// The lower 64 bits.
  @inlinable public var low: UInt64 { UInt64(words.3) &<< 32 | UInt64(words.2) }

  /// Creates a hash from two halves.
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

/// The error for an identity that occurs twice in one version; no delta exists for such a list.
public struct DuplicateIdentifier: Error, Hashable, Sendable {
  /// The kind of element that is duplicated.
  public enum Kind: Hashable, Sendable {
    /// A section; only the section index of a path is given.
    case section
    case item
  }

  /// The version in which it occurs twice.
  public enum Side: Hashable, Sendable {
    /// The version the delta starts from.
    case source
    /// The version the delta ends at.
    case target
  }

  /// The kind of element that is duplicated.
  public var kind: Kind
  /// The version in which it occurs twice.
  public var side: Side
  /// The identity, as text.
  public var id: String
  /// The first position: section and item index in the version `side`.
  public var first: [Int]
  /// The second position: section and item index in the version `side`.
  public var second: [Int]

  /// Creates the error.
  @inlinable public init(kind: Kind, side: Side, id: String, first: [Int], second: [Int]) {
    self.kind = kind
    self.side = side
    self.id = id
    self.first = first
    self.second = second
  }
}

extension DuplicateIdentifier: CustomStringConvertible {
  /// The identity and both positions, in one sentence.
  public var description: String {
    "\(side) \(kind) id \"\(id)\" occurs at \(first) and again at \(second)"
  }
}
