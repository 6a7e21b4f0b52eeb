public import DeltaEngine
public import SnapshotJSON

/// The encoding of an answer, as numbers that the encoders define; also part of the cache key.
public struct AnswerForm: Hashable, Sendable {
  /// The dialect of deltas.
  public var dialect: UInt8
  /// The coding of the bytes: 0 for none, 1 for deflate (see ``EncodedText``).
  public var coding: UInt8
  /// What wraps the answer, such as the lines of an event; 0 for nothing.
  public var framing: UInt8
  /// Whether changed items may be sent as merge patches of the reader's items (RFC 7396).
  public var patchesItems: Bool
  /// Whether what the settings add to an answer is left out, such as animations.
  ///
  /// An answer that names all its versions then depends on them alone, and never changes.
  public var omitsSettings = false
  /// What is shown of the collection; nil for all of it.
  package var view: ViewQuery?
  /// The renewal mark of the version that the reader has, which a delta repeats as it was sent.
  package var sinceMark: VersionToken.Mark?

  /// Creates a form from its numbers.
  public init(
    dialect: UInt8, coding: UInt8 = 0, framing: UInt8 = 0, patchesItems: Bool = false
  ) {
    self.dialect = dialect
    self.coding = coding
    self.framing = framing
    self.patchesItems = patchesItems
  }

  /// The form of a snapshot's content, which does not depend on dialect or framing.
  package var ofSnapshot: AnswerForm {
    var form = AnswerForm(dialect: 0, coding: coding)
    form.omitsSettings = omitsSettings
    form.view = view
    form.view?.was = nil
    return form
  }
}

/// The output of an encoder: text, or deflated text (RFC 1951) that can be concatenated.
///
/// Deflated text starts and ends at a byte boundary, refers to nothing before it, and has no final
/// block. One copy serves every content coding made of deflated blocks, every stream and every
/// envelope.
public struct EncodedText: Sendable {
  /// The bytes sent over the wire.
  public var bytes: [UInt8]
  /// The length and the checksum of the inflated text; nil if ``bytes`` is the text itself.
  public var inflated: TextSummary?
  /// A hash of the settings in a snapshot, which can change without a new version; nil if there are
  /// none in it.
  public package(set) var settingsHash: UInt64?
  /// The numbers of the view that the text is of; nil if it is of all of a collection.
  package var view: ViewNumbers?

  /// Creates a text, deflated if `inflated` is not nil.
  public init(_ bytes: [UInt8], inflated: TextSummary? = nil) {
    self.bytes = bytes
    self.inflated = inflated
  }

  /// The length of the text in bytes, before deflating.
  public var textCount: Int { inflated?.count ?? bytes.count }
}

/// The length and the checksum of a text, as they appear in the trailer of gzip.
public struct TextSummary: Hashable, Sendable {
  /// The length in bytes.
  public var count: Int
  /// The CRC-32 (RFC 1952).
  public var crc32: UInt32

  /// Creates a summary.
  public init(count: Int, crc32: UInt32) {
    self.count = count
    self.crc32 = crc32
  }
}

/// Encoders that turn answers into bytes; the wire protocol supplies them.
///
/// Called on a shard's queue or a worker's, once for each version, delta and form.
public struct AnswerEncoders: Sendable {
  /// Encodes a snapshot's content, starting at its sections.
  public var snapshot: @Sendable (SnapshotEncodingInput, AnswerForm) -> EncodedText
  /// Encodes a complete delta.
  public var delta: @Sendable (DeltaEncodingInput, AnswerForm) -> EncodedText

  /// Creates a set of encoders.
  public init(
    snapshot: @escaping @Sendable (SnapshotEncodingInput, AnswerForm) -> EncodedText,
    delta: @escaping @Sendable (DeltaEncodingInput, AnswerForm) -> EncodedText
  ) {
    self.snapshot = snapshot
    self.delta = delta
  }
}

/// The input of a snapshot encoder: a version with its contents.
public struct SnapshotEncodingInput {
  /// The sections, in order.
  public let sections: [StructureSection]
  /// The texts of the ids.
  public let ids: IDTable
  /// The contents, addressed by flat item index.
  public let contents: Contents
  /// The collection's animation preferences, as JSON text.
  public package(set) var animations: [UInt8]?
  /// Where the ids of items and sections are.
  public let idPath: JSONPointer
  /// The numbers of the view that it is of; nil for all of a version.
  package var view: ViewNumbers?
  /// Where the items of each section of a view are in the whole section; empty without a view.
  package var parts: [ViewedList.Part] = []

  package init(
    sections: [StructureSection], ids: IDTable, contents: Contents, animations: [UInt8]? = nil,
    idPath: JSONPointer = .id
  ) {
    self.sections = sections
    self.ids = ids
    self.contents = contents
    self.animations = animations
    self.idPath = idPath
  }

  /// A hash of the settings in it; nil if there are none in it.
  package var settingsHash: UInt64? {
    guard animations != nil || idPath != .id else { return nil }
    return hash64((animations ?? []) + (idPath == .id ? [] : Array(idPath.description.utf8)))
  }
}

/// The input of a delta encoder: two versions and the delta between them.
public struct DeltaEncodingInput {
  /// The collection's name and the two versions.
  public struct Envelope: Sendable {
    /// The collection's name.
    public var collection: String
    /// The version that the delta starts from.
    public var from: VersionToken
    /// The version that the delta leads to.
    public var to: VersionToken
    /// Whether the delta is below the thresholds for animated updates.
    public var isAnimated = true

    package init(collection: String, from: VersionToken, to: VersionToken, isAnimated: Bool = true)
    {
      self.collection = collection
      self.from = from
      self.to = to
      self.isAnimated = isAnimated
    }
  }

  /// How `meta` changed.
  public enum MetaChange: Sendable {
    /// `meta` is the same in both versions.
    case unchanged
    /// `meta` changed; the target's value is available.
    case changed
    /// `meta` changed to a value that is no longer retained.
    case gone
  }

  /// The name and versions; nil for a stateless comparison (`/v1/diff`).
  public let envelope: Envelope?
  /// The sections of the source version.
  public let source: [StructureSection]
  /// The target version.
  public let target: SnapshotEncodingInput
  /// The changes that turn the source into the target.
  public let delta: Delta
  /// How `meta` changed.
  public let metaChange: MetaChange
  /// The numbers of the ids that are told as `deleted` and as `left`; nil without a view, where all ids that are
  /// gone are deleted.
  package var departures: (deleted: [UInt32], left: [UInt32])?
  /// Where the items of the source's sections are in the whole sections; empty without a view.
  package var sourceParts: [ViewedList.Part] = []
  /// Replacements for the JSON of items, such as merge patches.
  package var entries: [ItemPath<TargetSpace>: [UInt8]] = [:]
  private let firstItemIndices: [Int]

  package init(
    envelope: Envelope?, source: [StructureSection], target: SnapshotEncodingInput, delta: Delta,
    metaChange: MetaChange
  ) {
    self.envelope = envelope
    self.source = source
    self.target = target
    self.delta = delta
    self.metaChange = metaChange
    firstItemIndices = target.sections.firstItemIndices
  }

  /// The id of a source item.
  public func id(_ path: ItemPath<SourceSpace>) -> ArraySlice<UInt8> {
    target.ids.text(source[path.section].items[path.item].uniqueID)
  }

  /// The id of a target item.
  public func id(_ path: ItemPath<TargetSpace>) -> ArraySlice<UInt8> {
    target.ids.text(target.sections[path.section].items[path.item].uniqueID)
  }

  /// The id of a target section.
  public func id(_ section: SectionIndex<TargetSpace>) -> ArraySlice<UInt8> {
    target.ids.text(target.sections[section.index].uniqueID)
  }

  /// The JSON of a target item.
  public func json(_ path: ItemPath<TargetSpace>) -> ArraySlice<UInt8> {
    target.contents.item(at: firstItemIndices[path.section] + path.item)
  }

  /// The JSON sent for an inserted or changed target item, or its replacement.
  public func entry(_ path: ItemPath<TargetSpace>) -> ArraySlice<UInt8> {
    entries[path].map { $0[...] } ?? json(path)
  }

  /// The ids that are gone from the list, as far as they are gone from the collection too.
  package var deletedIDs: [ArraySlice<UInt8>] {
    departures?.deleted.map(target.ids.text) ?? delta.changes.deletedItems.map(id)
  }

  /// The ids that are gone from the view and are still in the collection.
  package var leftIDs: [ArraySlice<UInt8>] { departures?.left.map(target.ids.text) ?? [] }

  /// The JSON of a target section, without its items.
  public func json(_ section: SectionIndex<TargetSpace>) -> ArraySlice<UInt8> {
    target.contents.header(ofSection: section.index)
  }
}
