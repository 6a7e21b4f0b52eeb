public import DeltaEngine

/// In which form a reader wants an answer: numbers that the encoders understand, and that tell one
/// reader's buffer from another's.
public struct AnswerForm: Hashable, Sendable {
  /// Which dialect of deltas.
  public var dialect: UInt8
  /// Which coding of the bytes; 0 for none.
  public var coding: UInt8
  /// What stands around the answer; 0 for nothing.
  public var framing: UInt8

  /// A form by its numbers.
  public init(dialect: UInt8, coding: UInt8 = 0, framing: UInt8 = 0) {
    self.dialect = dialect
    self.coding = coding
    self.framing = framing
  }

  /// The form of a snapshot's content: the same in every dialect, and with nothing around it.
  var ofSnapshot: AnswerForm {
    AnswerForm(dialect: 0, coding: coding, framing: coding == 0 ? 0 : framing)
  }
}

/// How answers become bytes: the wire's business, done where the collection is.
///
/// Called on the collection's queue, once for each version, delta and form.
public struct AnswerEncoders: Sendable {
  /// Encodes a snapshot's content, from its sections on.
  public var snapshot: @Sendable (SnapshotMaterial, AnswerForm) -> [UInt8]
  /// Encodes a version's sections with ids in place of contents.
  public var structure: @Sendable (SnapshotMaterial) -> [UInt8]
  /// Encodes a whole delta.
  public var delta: @Sendable (DeltaMaterial, AnswerForm) -> [UInt8]

  /// Puts the encoders together.
  public init(
    snapshot: @escaping @Sendable (SnapshotMaterial, AnswerForm) -> [UInt8],
    structure: @escaping @Sendable (SnapshotMaterial) -> [UInt8],
    delta: @escaping @Sendable (DeltaMaterial, AnswerForm) -> [UInt8]
  ) {
    self.snapshot = snapshot
    self.structure = structure
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
  public let animations: [UInt8]?

  /// Puts a version's parts together.
  public init(
    sections: [StructureSection], ids: IDTable, contents: Contents, animations: [UInt8]? = nil
  ) {
    self.sections = sections
    self.ids = ids
    self.contents = contents
    self.animations = animations
  }
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
  }

  /// What became of `meta`.
  public enum MetaChange: Sendable {
    /// It is the same.
    case unchanged
    /// It is the target's.
    case changed
    /// It was another, and is no longer held.
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
  /// What became of `meta`.
  public let metaChange: MetaChange
  private let firstItemIndices: [Int]

  init(
    envelope: Envelope?, source: [StructureSection], target: SnapshotMaterial, delta: Delta,
    metaChange: MetaChange
  ) {
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

  /// The JSON of a section of the target, without its items.
  public func json(_ section: SectionIndex<Target>) -> ArraySlice<UInt8> {
    target.contents.header(ofSection: section.index)
  }
}
