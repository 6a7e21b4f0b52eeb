/// How the ids, items and sections of a snapshot are found and compared.
///
/// The defaults are those of a collection without settings: members `id`, `items` and `sections`,
/// unique ids, equality of the whole content.
public struct SnapshotOptions: Hashable, Sendable {
  /// What a repeated id means.
  public enum Identity: Hashable, Sendable {
    /// It is refused.
    case unique
    /// The k-th occurrence of an id, in order, is the id `id#k` from the second on.
    ///
    /// When such an id is itself in the snapshot, as in `a, a, a#2`, it is refused.
    case occurrence
  }

  /// Where an item, and a section, has its id.
  public var idPath: JSONPointer
  /// Where a section, or a flat collection, has its items.
  public var itemsPath: JSONPointer
  /// Where a collection has its sections; empty when it is an array of sections.
  ///
  /// When `sectionsPath` or `itemsPath` is another than the default, the text is taken for the
  /// writer's own document: members of the top level that are not asked for are ignored.
  public var sectionsPath: JSONPointer
  /// What is left out of the equality of items and of section headers; the empty pointer has no
  /// effect.
  public var equalityIgnored: [JSONPointer]
  /// Where items have lists of their own; nil when all of an item is its content.
  public var nested: NestedRule?
  /// What a repeated id means.
  public var identity: Identity
  /// The seed of `idHash`.
  ///
  /// The default is random in each process, so that nobody can prepare ids that collide; then
  /// id hashes are comparable in this process only. Give a fixed one for repeatable hashes.
  public var idSeed: UInt64

  /// The protocol's defaults, or others.
  public init(
    idPath: JSONPointer = .id, itemsPath: JSONPointer = .items,
    sectionsPath: JSONPointer = .sections, equalityIgnored: [JSONPointer] = [],
    nested: NestedRule? = nil, identity: Identity = .unique,
    idSeed: UInt64 = SnapshotOptions.processSeed
  ) {
    self.idPath = idPath
    self.itemsPath = itemsPath
    self.sectionsPath = sectionsPath
    self.equalityIgnored = equalityIgnored
    self.nested = nested
    self.identity = identity
    self.idSeed = idSeed
  }

  /// A random number, the same as long as this process lives.
  public static let processSeed = UInt64.random(in: .min ... .max)

  /// Whether the top level is the protocol's own, in which other members are faults.
  var hasProtocolEnvelope: Bool { itemsPath == .items && sectionsPath == .sections }
}

extension JSONPointer {
  /// `/id`.
  public static let id = JSONPointer(tokens: ["id"])
  /// `/items`.
  public static let items = JSONPointer(tokens: ["items"])
  /// `/sections`.
  public static let sections = JSONPointer(tokens: ["sections"])
}
