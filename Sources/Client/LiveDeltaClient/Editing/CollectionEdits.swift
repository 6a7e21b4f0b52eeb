public import Foundation
public import LiveCollections
import SnapshotJSON

/// Edits that the service makes together, in one version, or not at all.
///
/// ```swift
/// try await feed.edit { edits in
///   try edits.merge("m1", ["unread": false])
///   edits.move(["m1"], to: .first(in: "archive"))
/// }
/// ```
public struct CollectionEdits<Row> {
  /// A place for items.
  public typealias Position = ItemPosition<ReplicaID, ReplicaID>

  private let encoder: JSONEncoder
  private var texts: [[UInt8]] = []

  /// Creates no edits.
  ///
  /// - Parameter encoder: Encodes items and what is merged into them.
  public init(encoder: JSONEncoder = JSONEncoder()) { self.encoder = encoder }

  /// Changes members of an item, as RFC 7396 says: `nil` in a dictionary removes a member.
  ///
  /// - Throws: An error of the encoder.
  public mutating func merge(_ id: ReplicaID, _ value: some Encodable) throws {
    let value = try json(value)
    add("merge") {
      $0.member("id", id.text)
      $0.member("value", raw: value)
    }
  }

  /// Moves items, in this order.
  public mutating func move(_ ids: [ReplicaID], to position: Position) {
    add("move") {
      $0.member("ids", ids)
      $0.member(position)
    }
  }

  /// Deletes items; those that are gone already are no conflict.
  public mutating func delete(_ ids: [ReplicaID]) {
    add("delete") {
      $0.member("ids", ids)
      $0.member("missing", "ignore")
    }
  }

  /// Inserts a section without items.
  ///
  /// - Throws: An error of the encoder; `ClientError.malformed` if `header` is no JSON object.
  public mutating func insertSection(
    _ id: ReplicaID, _ header: some Encodable, at position: ListPosition<ReplicaID>
  ) throws {
    let header = try JSONValue(parsing: json(header)).asObject()
    add("insertSection") { writer in
      writer.member("id", id.text)
      for (name, value) in header where name != "id" {
        writer.key(name)
        writer.value(value)
      }
      writer.member(position)
    }
  }

  /// Moves a section.
  public mutating func moveSection(_ id: ReplicaID, to position: ListPosition<ReplicaID>) {
    add("moveSection") {
      $0.member("id", id.text)
      $0.member(position)
    }
  }

  /// Changes members of a section's header, as RFC 7396 says.
  ///
  /// - Throws: An error of the encoder.
  public mutating func updateSection(_ id: ReplicaID, _ value: some Encodable) throws {
    let value = try json(value)
    add("updateSection") {
      $0.member("id", id.text)
      $0.member("value", raw: value)
    }
  }

  /// Deletes a section with its items; one that is gone already is no conflict.
  public mutating func deleteSection(_ id: ReplicaID) {
    add("deleteSection") {
      $0.member("id", id.text)
      $0.member("missing", "ignore")
    }
  }

  /// Adds an edit in the form of the protocol, as a JSON object.
  public mutating func add(json edit: String) { texts.append(Array(edit.utf8)) }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for text in texts { writer.raw(text) }
    writer.endArray()
    return writer.bytes
  }

  private mutating func add(_ operation: String, _ body: (inout JSONWriter) -> Void) {
    texts.append(
      JSONWriter.object { writer in
        writer.member("op", operation)
        body(&writer)
      })
  }

  private func json(_ value: some Encodable) throws -> [UInt8] {
    [UInt8](try encoder.encode(value))
  }
}

extension CollectionEdits where Row: Encodable {
  /// Inserts items, in their order.
  ///
  /// - Throws: An error of the encoder.
  public mutating func insert(_ rows: [Row], at position: Position) throws {
    try put("insert", rows, position)
  }

  /// Replaces the items with the same ids, and inserts the others at a position.
  ///
  /// - Throws: An error of the encoder.
  public mutating func upsert(_ rows: [Row], at position: Position) throws {
    try put("upsert", rows, position)
  }

  private mutating func put(_ operation: String, _ rows: [Row], _ position: Position) throws {
    let items = try rows.map(json)
    add(operation) {
      $0.member(position)
      $0.array("items", items) { $0.raw($1) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, _ ids: [ReplicaID]) {
    array(name, ids) { $0.string($1.text) }
  }

  fileprivate mutating func member(_ position: ItemPosition<ReplicaID, ReplicaID>) {
    switch position {
    case .first(let section):
      member("section", section.text)
      member("first", true)
    case .last(let section):
      member("section", section.text)
      member("last", true)
    case .at(let index, let section):
      member("section", section.text)
      member("at", index)
    case .before(let id): member("before", id.text)
    case .after(let id): member("after", id.text)
    }
  }

  fileprivate mutating func member(_ position: ListPosition<ReplicaID>) {
    switch position {
    case .first: member("first", true)
    case .last: member("last", true)
    case .at(let index): member("at", index)
    case .before(let id): member("before", id.text)
    case .after(let id): member("after", id.text)
    }
  }
}
