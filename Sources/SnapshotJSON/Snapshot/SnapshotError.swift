/// Why a JSON value is not a snapshot that is taken.
///
/// The text of ids may appear in `detail`; contents never do.
public struct SnapshotError: Error, Hashable, Sendable {
  /// What kind of fault it is; one kind in one error.
  public enum Code: Hashable, Sendable, CaseIterable {
    /// The value has not the shape of a snapshot.
    case badSnapshot
    /// Two sections, or two items, have one id.
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

  /// One place that is at fault.
  public struct Entry: Hashable, Sendable {
    /// The JSON pointer (RFC 6901) to it.
    public var pointer: String
    /// What is wrong there.
    public var detail: String

    /// Names a place and its fault.
    public init(pointer: String, detail: String) {
      self.pointer = pointer
      self.detail = detail
    }
  }

  /// No error has more entries; further faults are not looked for.
  public static let entriesMax = 10

  /// What kind of fault it is.
  public var code: Code
  /// The places, in the order of the text; duplicates come in groups, the first occurrence first.
  public var entries: [Entry]
  /// The fault in one sentence.
  public var detail: String
  /// The limit that was passed, where there is one.
  public var limit: Int?

  /// Describes a fault.
  public init(code: Code, entries: [Entry], detail: String, limit: Int? = nil) {
    self.code = code
    self.entries = entries
    self.detail = detail
    self.limit = limit
  }

  /// A fault at one place.
  init(_ code: Code, at pointer: String, _ detail: String, limit: Int? = nil) {
    let entry = Entry(pointer: pointer, detail: detail)
    self.init(code: code, entries: [entry], detail: detail, limit: limit)
  }
}

extension SnapshotError: CustomStringConvertible {
  /// The fault and its places.
  public var description: String {
    detail + entries.map { "\n  \($0.pointer): \($0.detail)" }.joined()
  }
}
