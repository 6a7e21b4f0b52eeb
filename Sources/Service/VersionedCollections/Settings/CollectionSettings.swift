public import SnapshotJSON

/// The rules by which a collection's items are found, compared, arranged and retained.
public struct CollectionSettings: Hashable, Sendable {
  /// Whether anybody may read the collection.
  public var isPublic = false
  /// The number of the version that was the head when the collection last became public: strangers read none before it.
  ///
  /// Nil for a collection that was created so, and for one that is not public. It is stored, but no setting.
  package var publicSince: Int?
  /// How long caches may keep answers about a public collection; nil for the defaults.
  public var ages: PublicAges?
  /// The meaning of a repeated id: an error, or the k-th occurrence.
  public var identity = SnapshotOptions.Identity.unique
  /// The members that equality ignores.
  public var equalityIgnored: [JSONPointer] = []
  /// The path of the id in an item or section.
  public var idPath = JSONPointer.id
  /// The path of the items in a section.
  public var itemsPath = JSONPointer.items
  /// The path of the sections in the collection.
  public var sectionsPath = JSONPointer.sections
  /// The rule that makes sections from a flat list; nil to use the sections as sent.
  public var sectionRule: SectionRule?
  /// The rules that sort items within sections, most significant first; empty to keep their order.
  public var sortRules: [SortRule] = []
  /// Whether empty sections are removed.
  public var dropsEmptySections = false
  /// The most items for which deltas are sent instead of snapshots; nil for the service's limit.
  public var dataCountAnimationThreshold: Int?
  /// The most changes for which deltas are sent instead of snapshots; nil for the service's limit.
  public var deltaCountAnimationThreshold: Int?
  /// Preferences included in every delta and snapshot, as JSON text.
  public var animations: [UInt8]?
  /// The limits of the history; nil for the service's limits.
  public var retention: Retention?

  /// Creates the default settings.
  public init() {}

  /// The settings as they follow others: a collection that stays public has been so since the same version.
  func following(_ older: CollectionSettings?) -> CollectionSettings {
    var settings = self
    settings.publicSince = isPublic && older?.isPublic == true ? older?.publicSince : nil
    return settings
  }

  /// The settings of a version that is the head when they take effect; older ones are those that they replace.
  func taking(effectAt seq: Int, after older: CollectionSettings) -> CollectionSettings {
    var settings = self
    if isPublic, !older.isPublic { settings.publicSince = seq }
    return settings
  }

  var arranges: Bool { sectionRule != nil || !sortRules.isEmpty || dropsEmptySections }

  var comparesAll: Bool { equalityIgnored.isEmpty }

  /// Whether snapshots have sections and items at the default paths, where readers get them.
  var hasPlainLayout: Bool { itemsPath == .items && sectionsPath == .sections }

  /// The approximate size in bytes of what is not in the value itself.
  var byteCount: Int {
    var pointers = equalityIgnored + sortRules.map(\.path)
    pointers += [idPath, itemsPath, sectionsPath].filter { ![.id, .items, .sections].contains($0) }
    if let sectionRule { pointers += sectionRule.paths + sectionRule.headerFrom }
    let tokens = pointers.lazy.flatMap(\.tokens)
    return tokens.reduce(animations?.capacity ?? 0) { $0 + HeapCost.array + $1.count }
      + HeapCost.array * 2 * pointers.count
  }

  package var options: SnapshotOptions {
    SnapshotOptions(
      idPath: idPath, itemsPath: itemsPath, sectionsPath: sectionsPath,
      equalityIgnored: equalityIgnored, identity: identity)
  }

  package var itemOptions: SnapshotOptions {
    SnapshotOptions(idPath: idPath, equalityIgnored: equalityIgnored)
  }
}

/// A rule that makes sections from a flat list.
public struct SectionRule: Hashable, Sendable {
  /// The paths of the values that name an item's section.
  ///
  /// Several values are combined into one id like the tokens of a JSON pointer (RFC 6901 §3):
  /// separated by slashes, with tildes and slashes escaped as `~0` and `~1`.
  public var paths: [JSONPointer]
  /// The paths of the values that are copied from a section's first item into its header.
  public var headerFrom: [JSONPointer] = []
  /// The section of items without those values; nil if they are required.
  public var other: String?
}

/// One criterion for sorting items.
public struct SortRule: Hashable, Sendable {
  /// How values are compared; the raw value is the word in the protocol.
  public enum Kind: String, Sendable {
    /// As strings, by Unicode scalars.
    case text
    /// As numbers, exactly.
    case number
    /// As points in time: RFC 3339, a day, a local time (taken as UTC), or seconds since 1970.
    case date
  }

  /// The path of the value in an item.
  public var path: JSONPointer
  /// Whether the greatest value comes first; items without a value come last in either case.
  public var isDescending = false
  /// How values are compared; nil, in views alone, for all numbers before all strings.
  public var kind: Kind? = .text
  /// Whether strings are compared case-insensitively.
  public var foldsCase = false
  /// Whether digits in strings are compared as numbers: `a9` before `a10`.
  public var isNatural = false
}
