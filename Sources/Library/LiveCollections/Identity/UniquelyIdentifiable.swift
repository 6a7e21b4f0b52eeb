public import DeltaEngine

/// A value that a collection can recognize from version to version.
///
/// Identity and content are separate: `uniqueID` identifies the value, `==` compares what it shows.
/// A value with the same id and another content is reloaded, in place or moved.
///
/// ```swift
/// struct Movie: UniquelyIdentifiable {
///   var uniqueID: Int
///   var title: String
/// }
/// ```
public protocol UniquelyIdentifiable: Diffable, Equatable, SendableMetatype
where DiffID == UniqueIDType {
  /// The type of the value that a data factory builds this one from; `Self` without a factory.
  associatedtype RawType = Self

  /// The type of the identity.
  associatedtype UniqueIDType: Hashable

  /// What the engine compares: `UniqueIDType`.
  associatedtype DiffID = UniqueIDType

  /// The identity; unique among all items, or all sections, of a version.
  var uniqueID: UniqueIDType { get }

  /// The value that this one was built from; itself without a factory.
  var rawData: RawType { get }
}

extension UniquelyIdentifiable {
  /// The identity that the engine compares: `uniqueID`.
  @inlinable public var diffID: UniqueIDType { uniqueID }

  /// Whether both show the same: `==`.
  @inlinable public func hasSameContent(as other: Self) -> Bool { self == other }
}

extension UniquelyIdentifiable where RawType == Self {
  /// The value itself.
  @inlinable public var rawData: Self { self }
}

extension UniquelyIdentifiable where Self: Identifiable, UniqueIDType == ID {
  /// The `id`.
  @inlinable public var uniqueID: ID { id }
}

extension UniquelyIdentifiable where UniqueIDType == Self {
  /// The value itself: a value that is its own identity can never be reloaded.
  @inlinable public var uniqueID: Self { self }
}
