/// A value that may be in a list more than once.
///
/// `nonUniqueID` identifies the value, `==` compares what it shows. A collection distinguishes the
/// occurrences of one id.
public protocol NonUniquelyIdentifiable: Equatable {
  /// The type of the identity.
  associatedtype NonUniqueIDType: Hashable

  /// The identity; several values of a list may have the same.
  var nonUniqueID: NonUniqueIDType { get }
}

extension NonUniquelyIdentifiable where NonUniqueIDType == Self {
  /// The value itself.
  public var nonUniqueID: Self { self }
}

/// A section whose items, and which itself, may occur more than once.
public protocol NonUniquelyIdentifiableSection: NonUniquelyIdentifiable {
  /// The type of the items.
  associatedtype NonUniqueDataType: NonUniquelyIdentifiable

  /// The type of what the section's header shows.
  associatedtype Header: Equatable = Self

  /// The items, in order.
  var items: [NonUniqueDataType] { get set }

  /// What the section's header shows.
  var header: Header { get }
}

extension NonUniquelyIdentifiableSection where Header == Self {
  /// The section without its items.
  public var header: Self {
    var header = self
    header.items = []
    return header
  }
}
