public import DeltaEngine
public import LiveCollections
import SnapshotJSON

/// An item as a reader has it: the writer's own JSON, and a hash of its value.
public struct ReplicaItem: Hashable, Sendable {
  /// The id, as text.
  public var id: String
  /// The writer's own object, minified.
  public var json: [UInt8]
  /// Equal for equal JSON values, however they are written.
  public var content: ContentHash

  /// An item.
  public init(id: String, json: [UInt8], content: ContentHash) {
    self.id = id
    self.json = json
    self.content = content
  }
}

/// A section as a reader has it.
public struct ReplicaSection: Hashable, Sendable {
  /// The id, as text; empty for the one section of a flat collection.
  public var id: String
  /// The section's object without its items, minified.
  public var header: [UInt8]
  /// Equal for equal headers, however they are written.
  public var content: ContentHash
  /// The items, in order.
  public var items: [ReplicaItem]

  /// A section.
  public init(id: String, header: [UInt8], content: ContentHash, items: [ReplicaItem] = []) {
    self.id = id
    self.header = header
    self.content = content
    self.items = items
  }

  /// The one section of a flat collection, without a name.
  init(flat items: [ReplicaItem]) {
    let header = Array(#"{"id":""}"#.utf8)
    self.init(id: "", header: header, content: hash128(header), items: items)
  }
}

extension ReplicaItem: UniquelyIdentifiable {
  /// The id.
  public var uniqueID: String { id }

  /// Whether both have the same JSON value, however they are written.
  public func hasSameContent(as other: ReplicaItem) -> Bool { content == other.content }
}

extension ReplicaSection: UniquelyIdentifiableSection {
  /// The id.
  public var uniqueID: String { id }

  /// Whether both headers have the same JSON value, however they are written.
  public func hasSameContent(as other: ReplicaSection) -> Bool { content == other.content }
}
