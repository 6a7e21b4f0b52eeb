public import DeltaEngine

/// A whole collection as its writer sent it: sections and items in order, with ids by their text,
/// contents as minified bytes, and a hash of each content.
///
/// ```json
/// {"sections":[{"id":"today","title":"Today","items":[{"id":"m6","title":"Standup"},{"id":7}]}]}
/// ```
///
/// `{"items":[…]}` and a bare array of items are one anonymous section whose id is `""`. Ids are
/// non-empty strings or integers, compared by their text: `7` and `"7"` are one id, `0` and `-0`
/// are two. Contents are the writer's own bytes but for white space; equality of contents is that
/// of JSON values, see `ContentHash` of each.
///
/// Everything refers to one `buffer` and nothing in here is a reference: 10,000 items are four
/// allocations.
public struct Snapshot: Sendable {
  /// Some bytes of a snapshot's `buffer`.
  public struct Slice: Hashable, Sendable {
    private let start: UInt32
    private let length: UInt32

    /// The index of the first byte.
    public var offset: Int { Int(start) }
    /// The number of bytes.
    public var count: Int { Int(length) }
    /// The indices of the bytes.
    public var range: Range<Int> { offset..<offset + count }

    init(offset: Int, count: Int) {
      start = UInt32(offset)
      length = UInt32(count)
    }
  }

  /// A section.
  public struct Section: Hashable, Sendable {
    /// The id's text, unescaped.
    public internal(set) var id: Slice
    /// A hash of the id's text; see `SnapshotOptions.idSeed`.
    public internal(set) var idHash: UInt64
    /// The object of its members without `items`, minified.
    public let header: Slice
    /// The hash of `header`'s content.
    public let content: ContentHash
    /// The indices of its items in `Snapshot.items`.
    public let items: Range<Int>
    /// The indices of its gaps in `Snapshot.gaps`.
    public let gaps: Range<Int>
  }

  /// An item.
  public struct Item: Hashable, Sendable {
    /// The id's text, unescaped.
    public internal(set) var id: Slice
    /// A hash of the id's text; see `SnapshotOptions.idSeed`.
    public internal(set) var idHash: UInt64
    /// The writer's own object, minified; order, escapes and number texts are as they were sent.
    public let json: Slice
    /// The hash of the content: all of the item, its `id` as it is spelled included.
    public let content: ContentHash
  }

  /// All contents and ids.
  public let buffer: [UInt8]
  /// The sections, in order.
  public let sections: [Section]
  /// The items of all sections, one section after the other.
  public let items: [Item]
  /// Where items are left out, section after section; empty unless the text was abridged.
  public let gaps: [Gap]
  /// The top-level member `meta`, minified.
  public let meta: Slice?
  /// The top-level member `settings`, minified.
  public let settings: Slice?
  /// The top-level member `version` of what a reader of the collection was given; nil for any other
  /// snapshot.
  public let version: Slice?
  /// Whether it was sent as items without sections.
  public let isFlat: Bool

  /// Some bytes of the buffer as text.
  public func text(_ slice: Slice) -> String { String(decoding: bytes(slice), as: UTF8.self) }

  /// Some bytes of the buffer.
  public func bytes(_ slice: Slice) -> ArraySlice<UInt8> { buffer[slice.range] }
}

extension Snapshot {
  /// Reads and checks a snapshot.
  ///
  /// - Parameters:
  ///   - value: The snapshot's JSON; a whole document or a part of one.
  ///   - limits: How large it may be.
  ///   - seed: The seed of the content hashes: the same seed, in any process, gives the same hashes.
  ///   - options: How ids, items and sections are found and compared.
  ///   - pointer: The JSON pointer to `value`, put before those in errors.
  ///   - omissions: The objects in place of items that were left out, in the order of the text; each
  ///     makes a gap.
  /// - Returns: The snapshot, which keeps nothing of `value`.
  /// - Throws: `SnapshotError` at the first fault; duplicate ids are reported together, up to
  ///   `SnapshotError.entriesMax` places.
  /// - Complexity: O(n) in the bytes of the value, and O(m log m) in the members of an object.
  public static func read(
    _ value: JSONValue, limits: SnapshotLimits = SnapshotLimits(), seed: UInt64 = 0,
    options: SnapshotOptions = SnapshotOptions(), pointer: String = "",
    omissions: [Omission] = []
  ) throws(SnapshotError) -> Snapshot {
    let result = value.storage.withView { view in
      var reader = SnapshotReader(
        value: value, view: view, limits: limits, seed: seed, options: options,
        pointer: pointer, omissions: omissions)
      return reader.read()
    }
    guard let result else { throw SnapshotError(.badSnapshot, at: pointer, "no value") }
    return try result.get()
  }
}
