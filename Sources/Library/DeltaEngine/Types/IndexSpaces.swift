/// The version that a delta starts from.
public enum SourceSpace: Sendable {}

/// The version that a delta ends at.
public enum TargetSpace: Sendable {}

/// The list immediately before a step.
public enum BeforeSpace: Sendable {}

/// The list immediately after a step.
public enum AfterSpace: Sendable {}

/// A section's index in one index space.
///
/// The index space is part of the type, so that an index before a step cannot be used in place of
/// one after it. It is encoded as an integer.
public struct SectionIndex<Space>: Hashable, Comparable, Sendable, BitwiseCopyable {
  @usableFromInline let value: Int32

  /// The index as an `Int`.
  @inlinable public var index: Int { Int(value) }

  /// Creates an index in this space.
  ///
  /// - Parameter index: An index in `0..<2^31`; any other value traps.
  @inlinable public init(_ index: Int) {
    // As an unsigned number a negative index is out of range too.
    value = Int32(UInt(bitPattern: index))
  }

  /// Creates an index from its stored, non-negative value.
  @inline(__always) init(stored value: Int32) { self.value = value }

  /// Orders by index.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}

/// The position of an item in one index space: its section, and its index in that section.
///
/// It is encoded as `[section, item]`.
public struct ItemPath<Space>: Hashable, Comparable, Sendable, BitwiseCopyable {
  @usableFromInline let sectionValue: Int32
  @usableFromInline let itemValue: Int32

  /// The index of the section.
  @inlinable public var section: Int { Int(sectionValue) }

  /// The index of the item in its section.
  @inlinable public var item: Int { Int(itemValue) }

  /// Creates a path in this space.
  ///
  /// - Parameters:
  ///   - section: An index in `0..<2^31`; any other value traps.
  ///   - item: An index in `0..<2^31`; any other value traps.
  @inlinable public init(section: Int, item: Int) {
    sectionValue = Int32(UInt(bitPattern: section))
    itemValue = Int32(UInt(bitPattern: item))
  }

  /// Creates a path from its stored, non-negative values.
  @inline(__always) init(section: Int32, item: Int32) {
    sectionValue = section
    itemValue = item
  }

  /// Returns the same indices in another index space.
  @inline(__always) func inSpace<Other>(_ space: Other.Type = Other.self) -> ItemPath<Other> {
    ItemPath<Other>(section: sectionValue, item: itemValue)
  }

  /// Orders by section, then by item.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.sectionValue, lhs.itemValue) < (rhs.sectionValue, rhs.itemValue)
  }
}

extension SectionIndex: Codable {
  /// Decodes an integer.
  ///
  /// - Throws: `DecodingError` if it is negative or greater than `2^31 - 1`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = try container.decode(Int32.self)
    guard value >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "section index \(value) is negative")
    }
  }

  /// Encodes the index as an integer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension ItemPath: Codable {
  /// Decodes `[section, item]`.
  ///
  /// - Throws: `DecodingError` unless there are exactly two elements in `0..<2^31`.
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

  /// Encodes the path as `[section, item]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(sectionValue)
    try container.encode(itemValue)
  }
}

extension SectionIndex: CustomStringConvertible {
  /// The index in decimal.
  public var description: String { "\(value)" }
}

extension ItemPath: CustomStringConvertible {
  /// The path as `[section, item]`.
  public var description: String { "[\(sectionValue), \(itemValue)]" }
}
