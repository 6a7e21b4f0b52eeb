public import DeltaEngine
public import LiveCollections

/// What a collection shows, decoded.
public struct FeedContent<Row: Sendable, Header: Sendable, Meta: Sendable>: Sendable {
  /// The sections, in order.
  public internal(set) var sections: [FeedSection<Row, Header>] = []
  /// The collection's own content besides the sections; `nil` if it has none, or a bad one.
  public internal(set) var meta: Meta?
  /// The version that edits of this device are shown on top of; `nil` without a collection.
  public internal(set) var version: String?
  /// The number of calls of `edit` that the service has not taken yet.
  public internal(set) var pendingCount = 0

  /// Creates the content of a feed that has none yet.
  public init() {}

  /// The items of all sections, in order.
  public var items: [FeedItem<Row>] { sections.flatMap(\.items) }
}

/// A section of a collection, with its header decoded.
public struct FeedSection<Row: Sendable, Header: Sendable>: Identifiable, Sendable {
  /// The id; empty for the single section of a flat collection.
  public let id: ReplicaID
  /// The section's object without its items; `nil` if it cannot be decoded.
  public let value: Header?
  /// A hash that is equal for equal headers.
  public let header: ContentHash
  /// The items that can be decoded, in order.
  public var items: [FeedItem<Row>]
}

/// An item of a collection, decoded.
public struct FeedItem<Row: Sendable>: Identifiable, Sendable {
  /// The id.
  public let id: ReplicaID
  /// The item.
  public let value: Row
  let content: ContentHash
}

extension FeedItem: UniquelyIdentifiable {
  /// The id.
  public var uniqueID: ReplicaID { id }

  /// Whether both are the same JSON value, however they are written.
  public func hasSameContent(as other: FeedItem) -> Bool { content == other.content }

  /// Whether both have the same id and are the same JSON value.
  public static func == (one: FeedItem, other: FeedItem) -> Bool {
    one.id == other.id && one.content == other.content
  }
}

extension FeedSection: UniquelyIdentifiableSection {
  /// The id.
  public var uniqueID: ReplicaID { id }

  /// Whether both have the same id, and headers and items that are the same JSON values.
  public static func == (one: FeedSection, other: FeedSection) -> Bool {
    one.id == other.id && one.header == other.header && one.items == other.items
  }
}

/// A header, or content of a collection, of which an app shows nothing.
public struct NoContent: Hashable, Codable, Sendable {
  /// Creates no content.
  public init() {}
}
