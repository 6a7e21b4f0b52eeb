public import DeltaEngine
public import LiveCollections
import SnapshotJSON

/// An item of a replica: the writer's JSON and a hash of its value.
public struct ReplicaItem: Hashable, Sendable {
  /// The id.
  public var id: ReplicaID
  /// The writer's JSON object, minified.
  public var json: [UInt8]
  /// A hash that is equal for equal JSON values, however they are written.
  public var content: ContentHash

  /// Creates an item.
  public init(id: ReplicaID, json: [UInt8], content: ContentHash) {
    self.id = id
    self.json = json
    self.content = content
  }
}

/// A section of a replica.
public struct ReplicaSection: Hashable, Sendable {
  /// The id; empty for the single section of a flat collection.
  public var id: ReplicaID
  /// The section's object without its items, minified.
  public var header: [UInt8]
  /// A hash that is equal for equal headers, however they are written.
  public var content: ContentHash
  /// The items, in order.
  public var items: [ReplicaItem]

  /// Creates a section.
  public init(id: ReplicaID, header: [UInt8], content: ContentHash, items: [ReplicaItem] = []) {
    self.id = id
    self.header = header
    self.content = content
    self.items = items
  }

  /// Creates the single, unnamed section of a flat collection.
  init(flat items: [ReplicaItem]) {
    let header = Array(#"{"id":""}"#.utf8)
    self.init(id: "", header: header, content: hash128(header), items: items)
  }
}

extension ReplicaItem: UniquelyIdentifiable, Identifiable {
  /// The id.
  public var uniqueID: ReplicaID { id }

  /// Whether both are the same JSON value, however they are written.
  public func hasSameContent(as other: ReplicaItem) -> Bool { content == other.content }
}

extension ReplicaSection: UniquelyIdentifiableSection, Identifiable {
  /// The id.
  public var uniqueID: ReplicaID { id }

  /// Whether both headers are the same JSON value, however they are written.
  public func hasSameContent(as other: ReplicaSection) -> Bool { content == other.content }
}

extension [ReplicaSection] {
  /// Returns the item at a position, or `nil` if there is none.
  package func item<Space>(at path: ItemPath<Space>) -> ReplicaItem? {
    guard indices.contains(path.section) else { return nil }
    let items = self[path.section].items
    return items.indices.contains(path.item) ? items[path.item] : nil
  }
}
