public import DeltaEngine
public import SnapshotJSON

/// The form in which a reader wants an answer: numbers that the encoders define, and by which encoded
/// answers are shared.
public struct AnswerForm: Hashable, Sendable {
  /// Which dialect of deltas.
  public var dialect: UInt8
  /// Which coding of the bytes; 0 for none, 1 for deflated (see ``EncodedText``).
  public var coding: UInt8
  /// What surrounds the answer, as an event's lines; 0 for nothing.
  public var framing: UInt8
  /// Whether changed items may be merge patches of those that the reader has (RFC 7396).
  public var patchesItems: Bool

  /// A form by its numbers.
  public init(
    dialect: UInt8, coding: UInt8 = 0, framing: UInt8 = 0, patchesItems: Bool = false
  ) {
    self.dialect = dialect
    self.coding = coding
    self.framing = framing
    self.patchesItems = patchesItems
  }

  /// The form of a snapshot's content: the same in every dialect, and with nothing around it.
  var ofSnapshot: AnswerForm {
    AnswerForm(dialect: 0, coding: coding)
  }
}

/// What an encoder made: a text, or a deflated one (RFC 1951) that can be joined with others.
///
/// A deflated one begins at a byte, refers to nothing before it, and ends at a byte without a last
/// block: one copy of it serves every content coding that is made of deflated blocks, every stream,
/// and every envelope.
public struct EncodedText: Sendable {
  /// What goes over the wire.
  public var bytes: [UInt8]
  /// The length and checksums of the inflated text; nil if ``bytes`` are the text.
  public var inflated: TextSummary?

  /// A text as it is, or deflated.
  public init(_ bytes: [UInt8], inflated: TextSummary? = nil) {
    self.bytes = bytes
    self.inflated = inflated
  }

  /// The bytes of the text itself.
  public var textCount: Int { inflated?.count ?? bytes.count }
}

/// The length and the checksums of a text: those that containers of deflated blocks end with.
public struct TextSummary: Hashable, Sendable {
  /// Bytes.
  public var count: Int
  /// As in RFC 1952.
  public var crc32: UInt32
  /// As in RFC 1950.
  public var adler32: UInt32

  /// Puts the three together.
  public init(count: Int, crc32: UInt32, adler32: UInt32) {
    self.count = count
    self.crc32 = crc32
    self.adler32 = adler32
  }
}

/// How answers become bytes: the wire's business, done where the collection is.
///
/// Called on the collection's queue, once for each version, delta and form.
public struct AnswerEncoders: Sendable {
  /// Encodes a snapshot's content, from its sections on.
  public var snapshot: @Sendable (SnapshotMaterial, AnswerForm) -> EncodedText
  /// Encodes a whole delta.
  public var delta: @Sendable (DeltaMaterial, AnswerForm) -> EncodedText
  /// Whether a form tells what changed inside items by itself; in others they are changed items.
  public var carriesNested: @Sendable (AnswerForm) -> Bool

  /// Puts the encoders together.
  public init(
    snapshot: @escaping @Sendable (SnapshotMaterial, AnswerForm) -> EncodedText,
    delta: @escaping @Sendable (DeltaMaterial, AnswerForm) -> EncodedText,
    carriesNested: @escaping @Sendable (AnswerForm) -> Bool = { _ in false }
  ) {
    self.carriesNested = carriesNested
    self.snapshot = snapshot
    self.delta = delta
  }
}

/// A version with its contents: all that an encoder of snapshots needs.
public struct SnapshotMaterial {
  /// The sections, in order.
  public let sections: [StructureSection]
  /// The texts of the ids.
  public let ids: IDTable
  /// The contents, addressed by flat index.
  public let contents: Contents
  /// The collection's preferences for animations, as JSON text.
  public internal(set) var animations: [UInt8]?
}

/// A list inside an item, and the delta between two versions of it.
public struct NestedMaterial {
  /// The item's id.
  public let id: ArraySlice<UInt8>
  /// Where the item has the list.
  public let path: JSONPointer
  /// The delta; all elements are in one section.
  public internal(set) var material: DeltaMaterial
}

/// Two versions and the delta between them: all that an encoder of any dialect needs.
public struct DeltaMaterial {
  /// The collection's name and the two versions; nil in an answer that has none (`/v1/diff`).
  public struct Envelope: Sendable {
    /// The collection's name.
    public var collection: String
    /// The version that the delta starts from.
    public var from: VersionToken
    /// The version that it ends at.
    public var to: VersionToken
    /// Whether it is under the thresholds up to which a list shows changes as they go.
    public var isAnimated = true
  }

  /// How `meta` changed.
  public enum MetaChange: Sendable {
    /// It is the same.
    case unchanged
    /// It is the target's.
    case changed
    /// It was another, which is not retained.
    case gone
  }

  /// Name and versions.
  public let envelope: Envelope?
  /// The sections that the delta starts from.
  public let source: [StructureSection]
  /// The version that it ends at.
  public let target: SnapshotMaterial
  /// What turns the one into the other.
  public let delta: Delta
  /// What changed inside items of which nothing else changed, in the order of the target.
  public internal(set) var nested: [NestedMaterial]
  /// How `meta` changed.
  public let metaChange: MetaChange
  /// What stands for items in place of their JSON.
  var entries: [ItemPath<Target>: [UInt8]] = [:]
  private let firstItemIndices: [Int]

  init(
    envelope: Envelope?, source: [StructureSection], target: SnapshotMaterial, delta: Delta,
    nested: [NestedMaterial] = [], metaChange: MetaChange
  ) {
    self.nested = nested
    self.envelope = envelope
    self.source = source
    self.target = target
    self.delta = delta
    self.metaChange = metaChange
    firstItemIndices = target.sections.firstItemIndices
  }

  /// The id of an item of the source.
  public func id(_ path: ItemPath<Source>) -> ArraySlice<UInt8> {
    target.ids.text(source[path.section].items[path.item].uniqueID)
  }

  /// The id of an item of the target.
  public func id(_ path: ItemPath<Target>) -> ArraySlice<UInt8> {
    target.ids.text(target.sections[path.section].items[path.item].uniqueID)
  }

  /// The id of a section of the target.
  public func id(_ section: SectionIndex<Target>) -> ArraySlice<UInt8> {
    target.ids.text(target.sections[section.index].uniqueID)
  }

  /// The JSON of an item of the target.
  public func json(_ path: ItemPath<Target>) -> ArraySlice<UInt8> {
    target.contents.item(at: firstItemIndices[path.section] + path.item)
  }

  /// What a reader is sent of a new or changed item: its JSON, or what stands for it.
  public func entry(_ path: ItemPath<Target>) -> ArraySlice<UInt8> {
    entries[path].map { $0[...] } ?? json(path)
  }

  /// The JSON of a section of the target, without its items.
  public func json(_ section: SectionIndex<Target>) -> ArraySlice<UInt8> {
    target.contents.header(ofSection: section.index)
  }
}
