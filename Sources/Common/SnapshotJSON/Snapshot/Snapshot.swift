public import DeltaEngine

/// A complete collection as sent by a writer: sections and items in order, with their ids, minified
/// contents and content hashes.
///
/// ```json
/// {"sections":[{"id":"today","title":"Today","items":[{"id":"m6","title":"Standup"},{"id":7}]}]}
/// ```
///
/// `{"items":[…]}` and an array of items are one anonymous section with the id `""`. Ids are
/// non-empty strings or integers, compared as text: `7` and `"7"` are equal, `0` and `-0` are not.
/// Contents are the writer's bytes without white space; they are equal if they are equal JSON
/// values, as told by `ContentHash`.
///
/// Everything refers to one `buffer`, and there are no object references: 10,000 items take four
/// allocations.
public struct Snapshot: Sendable {
  /// A range of bytes in a snapshot's `buffer`.
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
    /// The text of the id, unescaped.
    public internal(set) var id: Slice
    /// The hash of the id's text; see `SnapshotOptions.idSeed`.
    public internal(set) var idHash: UInt64
    /// The section's JSON object without its items, minified.
    public let header: Slice
    /// The content hash of `header`.
    public let content: ContentHash
    /// The indices of its items in `Snapshot.items`.
    public let items: Range<Int>
    /// The indices of its gaps in `Snapshot.gaps`.
    public let gaps: Range<Int>
  }

  /// An item.
  public struct Item: Hashable, Sendable {
    /// The text of the id, unescaped.
    public internal(set) var id: Slice
    /// The hash of the id's text; see `SnapshotOptions.idSeed`.
    public internal(set) var idHash: UInt64
    /// The writer's JSON object, minified; the order, escapes and numbers are unchanged.
    public let json: Slice
    /// The hash of the whole item's content, including its `id` as written.
    public let content: ContentHash
  }

  /// The bytes of all contents and ids.
  public let buffer: [UInt8]
  /// The sections, in order.
  public let sections: [Section]
  /// The items of all sections, in section order.
  public let items: [Item]
  /// The positions of elided items, in section order; empty unless items were elided.
  public let gaps: [Gap]
  /// The top-level member `meta`, minified.
  public let meta: Slice?
  /// The top-level member `settings`, minified.
  public let settings: Slice?
  /// The version that it names, as a document does that a reader got from the service.
  public let version: Slice?
  /// Whether it is such a document, with all of its members.
  public let isServiceDocument: Bool
  /// Whether it was sent as items without sections.
  public let isFlat: Bool
  /// The seed of the ids' hashes.
  public let idSeed: UInt64

  /// The text in a range of the buffer.
  public func text(_ slice: Slice) -> String { String(decoding: bytes(slice), as: UTF8.self) }

  /// The bytes in a range of the buffer.
  public func bytes(_ slice: Slice) -> ArraySlice<UInt8> { buffer[slice.range] }
}
