/// Why a JSON value is not a valid snapshot.
///
/// `detail` may contain ids, but never contents.
public struct SnapshotError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable, CaseIterable {
    /// The value does not have the structure of a snapshot.
    case badSnapshot
    /// Two sections, or two items, have the same id.
    case duplicateID
    /// There are more items than `SnapshotLimits.itemsMax`.
    case tooManyItems
    /// There are more sections than `SnapshotLimits.sectionsMax`.
    case tooManySections
    /// An item is larger than `SnapshotLimits.itemBytesMax`.
    case itemTooLarge
    /// An id is longer than `SnapshotLimits.idBytesMax`.
    case idTooLong
  }

  /// One location of the error.
  public struct Entry: Hashable, Sendable {
    /// The JSON pointer (RFC 6901) to it.
    public var pointer: String
    /// A description of the error there.
    public var detail: String

    /// Creates an entry.
    public init(pointer: String, detail: String) {
      self.pointer = pointer
      self.detail = detail
    }
  }

  /// The maximum number of entries in an error; further locations are not searched for.
  public static let entriesMax = 10

  /// The kind of error.
  public var code: Code
  /// The locations in text order; duplicates are grouped, with the first occurrence first.
  public var entries: [Entry]
  /// A one-sentence description.
  public var detail: String
  /// The limit that was exceeded, if any.
  public var limit: Int?

  /// Creates an error.
  public init(code: Code, entries: [Entry], detail: String, limit: Int? = nil) {
    self.code = code
    self.entries = entries
    self.detail = detail
    self.limit = limit
  }

  /// Creates an error with one location.
  init(_ code: Code, at pointer: String, _ detail: String, limit: Int? = nil) {
    let entry = Entry(pointer: pointer, detail: detail)
    self.init(code: code, entries: [entry], detail: detail, limit: limit)
  }
}

extension SnapshotError: CustomStringConvertible {
  /// The description of the error and its locations.
  public var description: String {
    detail + entries.map { "\n  \($0.pointer): \($0.detail)" }.joined()
  }
}
