import SnapshotJSON

/// One change to a collection, addressed by ids, as a writer sent it.
struct Edit: Sendable {
  /// What is done.
  enum Operation: Sendable {
    case insert(Snapshot, Place)
    case upsert(Snapshot, Place)
    case merge(id: [UInt8], value: JSONValue)
    case move(ids: [[UInt8]], Place)
    case swap([UInt8], [UInt8])
    case delete(ids: [[UInt8]], ignoresMissing: Bool)
    case reload(ids: [[UInt8]])
    case insertSection(Snapshot, Position)
    case moveSection(id: [UInt8], Position)
    case updateSection(id: [UInt8], value: JSONValue)
    case deleteSection(id: [UInt8], ignoresMissing: Bool)
    case reverse(section: [UInt8]?)
  }

  /// Where among its siblings something goes.
  enum Position: Sendable {
    case at(Int)
    case before([UInt8])
    case after([UInt8])
    case first
    case last
  }

  /// Where items go.
  struct Place: Sendable {
    /// The section; nil for that of the anchor, or the only one.
    var section: [UInt8]?
    var position: Position
  }

  /// The JSON pointer to the edit.
  var pointer: String
  var operation: Operation
}

/// Edits that are applied together or not at all.
struct EditList: Sendable {
  var edits: [Edit]
}

/// Why edits are not applied to a collection.
public struct EditConflict: Error, Hashable, Sendable {
  /// The JSON pointer to the edit.
  public var pointer: String
  /// What it names that does not exist, or adds that exists already.
  public var detail: String
}
