public import SnapshotJSON

/// How a collection's items are found, compared, arranged and retained.
public struct CollectionSettings: Hashable, Sendable {
  /// What a repeated id means: an error, or the k-th occurrence of it.
  public var identity = SnapshotOptions.Identity.unique
  /// What is left out of the equality of contents.
  public var equalityIgnored: [JSONPointer] = []
  /// Where an item or section has its id.
  public var idPath = JSONPointer.id
  /// Where a section has its items.
  public var itemsPath = JSONPointer.items
  /// Where the collection has its sections.
  public var sectionsPath = JSONPointer.sections
  /// How sections are made of a flat list; nil for those that were sent.
  public var sectionRule: SectionRule?
  /// What items are sorted by in their sections, the most significant first; empty for as sent.
  public var sortRules: [SortRule] = []
  /// Whether sections without items are left out.
  public var dropsEmptySections = false
  /// Where items have lists of their own, whose changes do not reload the item; nil for nowhere.
  public var nestedPath: JSONPointer?
  /// Where an element of such a list has its id; nil for where items have theirs.
  public var nestedIDPath: JSONPointer?
  /// More items than this on either side: a snapshot, not a delta; nil for the service's limit.
  public var dataCountAnimationThreshold: Int?
  /// More changes than this: a snapshot, not a delta; nil for the service's limit.
  public var deltaCountAnimationThreshold: Int?
  /// Preferences that are given back with every delta and snapshot, as JSON text.
  public var animations: [UInt8]?
  /// How much history is kept; nil for what the service keeps.
  public var retention: Retention?

  /// The defaults.
  public init() {}

  /// Whether items are put into sections or order by rule.
  var arranges: Bool { sectionRule != nil || !sortRules.isEmpty || dropsEmptySections }

  /// Whether equal items are equal in all that they have.
  var comparesAll: Bool { equalityIgnored.isEmpty && nestedPath == nil }

  /// Whether writers send sections and items where readers get them.
  var hasPlainLayout: Bool { itemsPath == .items && sectionsPath == .sections }

  /// Where items have lists of their own.
  var nested: NestedRule? {
    nestedPath.map { NestedRule(path: $0, idPath: nestedIDPath ?? idPath) }
  }

  /// How snapshots are read.
  var options: SnapshotOptions {
    SnapshotOptions(
      idPath: idPath, itemsPath: itemsPath, sectionsPath: sectionsPath,
      equalityIgnored: equalityIgnored, nested: nested, identity: identity)
  }

  /// How a bare list of items is read.
  var itemOptions: SnapshotOptions {
    SnapshotOptions(idPath: idPath, equalityIgnored: equalityIgnored, nested: nested)
  }
}

/// How sections are made of a flat list.
public struct SectionRule: Hashable, Sendable {
  /// Where an item says which section it belongs to; several make one id, as tokens of a JSON pointer
  /// do (RFC 6901 §3): a slash between them, `~0` and `~1` for tildes and slashes in them.
  public var paths: [JSONPointer]
  /// What of a section's first item becomes content of its header.
  public var headerFrom: [JSONPointer] = []
  /// The section of items that do not say; nil where each has to.
  public var other: String?
}

/// One thing that items are sorted by.
public struct SortRule: Hashable, Sendable {
  /// How values are compared; the raw value is the word of the protocol.
  public enum Kind: String, Sendable {
    /// By Unicode scalars.
    case text
    /// As numbers, without loss.
    case number
    /// As moments: RFC 3339, a day, a local time (taken for UTC), or seconds since 1970.
    case date
  }

  /// Where an item has the value.
  public var path: JSONPointer
  /// Whether the greatest comes first; what has no value comes last either way.
  public var isDescending = false
  /// How values are compared.
  public var kind = Kind.text
  /// Whether texts that differ in case alone are equal.
  public var foldsCase = false
  /// Whether digits in texts are compared as numbers: `a9` before `a10`.
  public var isNatural = false
}
