import SnapshotJSON

/// One change to a collection, as sent by a writer; it refers to items and sections by id.
package struct Edit: Sendable {
  enum Operation: Sendable {
    case insert(Snapshot, Place)
    case upsert(Snapshot, Place)
    case merge(id: [UInt8], value: JSONValue)
    case move(ids: [[UInt8]], Place)
    case delete(ids: [[UInt8]], ignoresMissing: Bool)
    case reload(ids: [[UInt8]])
    case insertSection(Snapshot, Position)
    case moveSection(id: [UInt8], Position)
    case updateSection(id: [UInt8], value: JSONValue)
    case deleteSection(id: [UInt8], ignoresMissing: Bool)
  }

  /// A position among siblings.
  package enum Position: Sendable {
    case at(Int)
    case before([UInt8])
    case after([UInt8])
    case first
    case last
  }

  package struct Place: Sendable {
    /// The section; nil for that of the anchor, or for the only section.
    var section: [UInt8]?
    package var position: Position
  }

  package var pointer: String
  var operation: Operation
}

/// Edits that are applied together or not at all.
package struct EditList: Sendable {
  var edits: [Edit]
}
