public import DeltaEngine

/// A section that a collection can recognize: an identity, a header, and its items in order.
///
/// Section ids and item ids are separate namespaces. A section whose `header` differs is reloaded;
/// by default that is all of the section but its items. Changes of `items` never reload the
/// section. A section that a factory builds from raw data declares its `header`.
public protocol UniquelyIdentifiableSection: UniquelyIdentifiable, DiffableSection
where Item == DataType {
  /// The type of the items.
  associatedtype DataType: UniquelyIdentifiable

  /// What the engine sees as the items: `DataType`.
  associatedtype Item = DataType

  /// The type of what the section's header shows.
  associatedtype Header: Equatable = Self

  /// The items, in order; their ids are unique among the items of all sections.
  ///
  /// Set to make the intermediate states of a section between the batches of an update.
  var items: [DataType] { get set }

  /// What the section's header shows.
  var header: Header { get }
}

extension UniquelyIdentifiableSection {
  /// Whether both headers show the same; items are not compared.
  @inlinable public func hasSameContent(as other: Self) -> Bool { header == other.header }
}

// A section built from raw data often holds it, and with it the raw items: comparing that would
// reload the section with each item.

extension UniquelyIdentifiableSection where Header == Self, RawType == Self {
  /// The section without its items.
  @inlinable public var header: Self {
    var header = self
    header.items = []
    return header
  }
}

/// The section that all items of a flat list are in.
struct OnlySection<DataType: UniquelyIdentifiable>: UniquelyIdentifiableSection {
  var items: [DataType]
  var uniqueID: Int { 0 }
  var header: Int { 0 }
}

extension OnlySection: Sendable where DataType: Sendable {}
