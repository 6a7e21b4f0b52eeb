public import DeltaEngine

/// A section that a collection can recognize: an identity, a header, and its items in order.
///
/// Section ids and item ids are separate namespaces. A section whose `header` differs is reloaded;
/// `header` is the id by default. Changes of `items` never reload the section.
public protocol UniquelyIdentifiableSection: UniquelyIdentifiable, DiffableSection
where Item == DataType {
  /// The type of the items.
  associatedtype DataType: UniquelyIdentifiable

  /// What the engine sees as the items: `DataType`.
  associatedtype Item = DataType

  /// The type of what the section's header shows.
  associatedtype Header: Equatable = UniqueIDType

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

extension UniquelyIdentifiableSection where Header == UniqueIDType {
  /// The id: a header that shows nothing that could change.
  @inlinable public var header: UniqueIDType { uniqueID }
}
