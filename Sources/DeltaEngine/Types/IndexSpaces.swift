/// The version that a delta starts from.
public enum Source: Sendable {}

/// The version that a delta ends at.
public enum Target: Sendable {}

/// The list right before a step.
public enum Before: Sendable {}

/// The list right after a step.
public enum After: Sendable {}

/// A section's index in one index space.
///
/// The space is part of the type, so that an index of the list before a step cannot be passed
/// where one of the list after it is meant. Encoded as a bare number.
public struct SectionIndex<Space>: Hashable, Comparable, Sendable, BitwiseCopyable {
  @usableFromInline let value: Int32

  /// The index as an `Int`.
  @inlinable public var index: Int { Int(value) }

  /// Makes an index of this space.
  ///
  /// - Parameter index: `0..<2^31`; anything else is a caller's bug and traps.
  @inlinable public init(_ index: Int) {
    // As unsigned, a negative number is past the bound too.
    value = Int32(UInt(bitPattern: index))
  }

  /// An index as it is stored; not negative.
  @inline(__always) init(stored value: Int32) { self.value = value }

  /// Orders by index.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}

/// An item's place in one index space: its section, and its index in that section.
///
/// Encoded as `[section, item]`.
public struct ItemPath<Space>: Hashable, Comparable, Sendable, BitwiseCopyable {
  @usableFromInline let sectionValue: Int32
  @usableFromInline let itemValue: Int32

  /// The index of the section.
  @inlinable public var section: Int { Int(sectionValue) }

  /// The index of the item in its section.
  @inlinable public var item: Int { Int(itemValue) }

  /// Makes a path of this space.
  ///
  /// - Parameters:
  ///   - section: `0..<2^31`; anything else is a caller's bug and traps.
  ///   - item: `0..<2^31`, likewise.
  @inlinable public init(section: Int, item: Int) {
    sectionValue = Int32(UInt(bitPattern: section))
    itemValue = Int32(UInt(bitPattern: item))
  }

  /// Both halves as they are stored; neither is negative.
  @inline(__always) init(section: Int32, item: Int32) {
    sectionValue = section
    itemValue = item
  }

  /// The same two numbers in another index space.
  @inline(__always) func inSpace<Other>(_ space: Other.Type = Other.self) -> ItemPath<Other> {
    ItemPath<Other>(section: sectionValue, item: itemValue)
  }

  /// Orders by section, then by item.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.sectionValue, lhs.itemValue) < (rhs.sectionValue, rhs.itemValue)
  }
}

extension SectionIndex: Codable {
  /// Decodes a bare number.
  ///
  /// - Throws: `DecodingError` when the number is negative or past `2^31 - 1`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = try container.decode(Int32.self)
    guard value >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "section index \(value) is negative")
    }
  }

  /// Encodes a bare number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension ItemPath: Codable {
  /// Decodes `[section, item]`.
  ///
  /// - Throws: `DecodingError` when there are not two members, or one is negative or past `2^31 -
  ///   1`.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    sectionValue = try container.decode(Int32.self)
    itemValue = try container.decode(Int32.self)
    guard sectionValue >= 0, itemValue >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "item path [\(sectionValue), \(itemValue)] is negative")
    }
    guard container.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an item path has two members")
    }
  }

  /// Encodes `[section, item]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(sectionValue)
    try container.encode(itemValue)
  }
}

extension SectionIndex: CustomStringConvertible {
  /// The bare number.
  public var description: String { "\(value)" }
}

extension ItemPath: CustomStringConvertible {
  /// `[section, item]`.
  public var description: String { "[\(sectionValue), \(itemValue)]" }
}
