/// The rules for finding and comparing the ids, items and sections of a snapshot.
///
/// The defaults are those of a collection without settings: members `id`, `items` and `sections`,
/// unique ids, and equality of the whole content.
public struct SnapshotOptions: Hashable, Sendable {
  /// The meaning of a repeated id.
  public enum Identity: Hashable, Sendable {
    /// Repeated ids are an error.
    case unique
    /// The k-th occurrence of an id, from the second on, gets the id `id#k`.
    ///
    /// It is an error if the snapshot contains such an id already, as in `a, a, a#2`.
    case occurrence
  }

  /// The path of the id in items and sections.
  public var idPath: JSONPointer
  /// The path of the items in sections or in a flat collection.
  public var itemsPath: JSONPointer
  /// The path of the sections in a collection; empty if it is an array of sections.
  ///
  /// If `sectionsPath` or `itemsPath` is not the default, the text is a document of the writer's
  /// own, in which other top-level members are ignored.
  public var sectionsPath: JSONPointer
  /// The paths that equality of items and section headers ignores; an empty pointer has no effect.
  public var equalityIgnored: [JSONPointer]
  /// The meaning of a repeated id.
  public var identity: Identity
  /// The seed of `idHash`.
  ///
  /// The default is random in each process, so that colliding ids cannot be prepared; ID hashes are
  /// then comparable only within this process. Use a fixed seed for repeatable hashes.
  public var idSeed: UInt64

  /// Creates options; the defaults are those of the protocol.
  public init(
    idPath: JSONPointer = .id, itemsPath: JSONPointer = .items,
    sectionsPath: JSONPointer = .sections, equalityIgnored: [JSONPointer] = [],
    identity: Identity = .unique,
    idSeed: UInt64 = SnapshotOptions.processSeed
  ) {
    self.idPath = idPath
    self.itemsPath = itemsPath
    self.sectionsPath = sectionsPath
    self.equalityIgnored = equalityIgnored
    self.identity = identity
    self.idSeed = idSeed
  }

  /// A random number, constant for the lifetime of the process.
  public static let processSeed = UInt64.random(in: .min ... .max)

  /// Whether the document has the protocol's layout, in which unknown top-level members are errors.
  var hasProtocolEnvelope: Bool { itemsPath == .items && sectionsPath == .sections }
}
