public import DeltaEngine

/// What a writer wants done with a collection.
public struct WriteRequest: Sendable {
  /// The change itself.
  public enum Change: Sendable {
    /// The whole new content, as JSON text.
    case put(body: [UInt8])
    /// Edits of the content, as JSON text.
    case edit(body: [UInt8])
    /// A JSON Patch (RFC 6902) of the document that a reader of the collection gets, as JSON text.
    case patch(body: [UInt8])
    /// Other settings, as JSON text: all of them, or a merge patch.
    case settings(body: [UInt8], isPatch: Bool)
    /// A version that is kept becomes the newest one's content; `{"to":…}` as JSON text.
    case revert(body: [UInt8])
    /// The collection goes.
    case delete
  }

  /// What the writer wants beside the receipt.
  public enum Answer: Sendable {
    /// The receipt only.
    case receipt
    /// The snapshot, in a form.
    case snapshot(AnswerForm)
    /// The delta from the version before, in a form.
    case delta(AnswerForm)
  }

  /// The change.
  public var change: Change
  /// What must be true of the collection.
  public var precondition: Precondition
  /// What the writer wants beside the receipt.
  public var answer: Answer
  /// What tells it from a new request when it comes again.
  public var key: IdempotencyKey?
  /// What the log calls it.
  public var requestID: RequestID?

  /// Puts a request together.
  public init(
    _ change: Change, precondition: Precondition = Precondition(), answer: Answer = .receipt,
    key: IdempotencyKey? = nil
  ) {
    self.key = key
    self.change = change
    self.precondition = precondition
    self.answer = answer
  }
}

/// What must be true of a collection before a write.
public struct Precondition: Hashable, Sendable {
  /// Some versions, or just any.
  public enum Versions: Hashable, Sendable {
    /// Any version: the collection exists.
    case any
    /// One of these, written as tokens.
    case oneOf([String])

    func contains(_ token: VersionToken?) -> Bool {
      guard let token else { return false }
      switch self {
      case .any: return true
      case .oneOf(let tokens): return tokens.contains(token.description)
      }
    }
  }

  /// The head must be one of these.
  public var match: Versions?
  /// The head must be none of these.
  public var noneMatch: Versions?
  /// The head must be this.
  public var version: VersionToken?
  /// The head must be the version that the body names, which is what a reader was given.
  public var isInBody = false
  /// The settings must have one of these tags; nil when they may be any.
  public var settingsTags: [String]?

  /// No condition.
  public init() {}

  /// Whether nothing is asked.
  public var isEmpty: Bool {
    match == nil && noneMatch == nil && version == nil && !isInBody
  }

  /// Checks it against the head and its settings; nil stands for a collection that does not exist.
  func failure(head: VersionToken?, settings: CollectionSettings?) -> ServiceError? {
    if let settingsTags, let settings, !settingsTags.contains(settings.tag) {
      return .versionConflict
    }
    if let match, !match.contains(head) { return .versionConflict }
    if let version, version != head { return .versionConflict }
    if let noneMatch, noneMatch.contains(head) {
      return noneMatch == .any ? .collectionExists : .versionConflict
    }
    return nil
  }
}

/// What came of a write.
public struct WriteReceipt: Sendable {
  /// The head now; of a deleted collection, the last version it had.
  public var version: VersionToken
  /// The head before; nil when there was none.
  public var previous: VersionToken?
  /// Whether the content differed from the version before.
  public var isChanged: Bool
  /// Whether the collection is new.
  public var isCreated: Bool
  /// Whether the collection is gone.
  public var isDeleted = false
  /// Whether it is the receipt of the same request of earlier.
  public var isReplayed = false
  /// What changed, counted.
  public var counts: ChangeCounts
  /// What was asked for beside the receipt.
  public var answer: ReadAnswer?
}

/// The operations between two versions, counted; items of inserted and deleted sections count too.
public struct ChangeCounts: Hashable, Sendable {
  /// Sections that are new.
  public var sectionsInserted = 0
  /// Sections that are gone.
  public var sectionsDeleted = 0
  /// Sections that moved.
  public var sectionsMoved = 0
  /// Sections whose header changed.
  public var sectionsReloaded = 0
  /// Items that are new.
  public var inserted = 0
  /// Items that are gone.
  public var deleted = 0
  /// Items that moved.
  public var moved = 0
  /// Items whose content changed.
  public var reloaded = 0
  /// Items of which nothing changed but the list inside them.
  public var nested = 0

  /// Nothing changed.
  public init() {}

  /// Counts changes.
  public init(_ changes: DeltaChanges) {
    sectionsInserted = changes.insertedSections.count
    sectionsDeleted = changes.deletedSections.count
    sectionsMoved = changes.movedSections.count
    sectionsReloaded = changes.reloadedSections.count
    inserted = changes.insertedItems.count
    deleted = changes.deletedItems.count
    moved = changes.movedItems.count
    reloaded = changes.reloadedItems.count
  }
}

/// What a reader wants.
public struct ReadRequest: Sendable {
  /// The version the reader holds; nil for none.
  public var since: VersionToken?
  /// In which form to answer.
  public var form: AnswerForm
  /// How long to wait for news, in seconds; clamped to the limit.
  public var waitSeconds: Int
  /// Whether to wait for a collection that does not exist.
  public var waitsForCollection: Bool
  /// Whether to refuse when there is no delta.
  public var isStrict: Bool
  /// Whether the reader wants snapshots, never deltas.
  public var wantsSnapshot = false
  /// Where the time that it waits is noted; nil for nowhere.
  public var parkedTime: ParkedTime?
  /// What the log calls it.
  public var requestID: RequestID?

  /// Puts a request together.
  public init(
    since: VersionToken?, form: AnswerForm, waitSeconds: Int = 0, waitsForCollection: Bool = false,
    isStrict: Bool = false
  ) {
    self.since = since
    self.form = form
    self.waitSeconds = waitSeconds
    self.waitsForCollection = waitsForCollection
    self.isStrict = isStrict
  }
}

/// Gets the answer to a reader, and the head that it was made from; nil where there is none in memory.
///
/// Who asks the same without waiting is told the same while that head is current.
public typealias ReadReply =
  @Sendable (_ result: Result<ReadAnswer, ServiceFailure>, _ head: PublishedHead?) -> Void

/// The answer to a reader.
public enum ReadAnswer: Sendable {
  /// The content: the encoded sections and meta, to be put into an envelope.
  case snapshot(VersionToken, content: EncodedText, reset: Reset?)
  /// The encoded delta to a version.
  case delta(VersionToken, body: EncodedText)
  /// The version asked about is the head.
  case unchanged(VersionToken)
  /// The collection was deleted while the reader waited; the last version it had.
  case deleted(VersionToken)

  /// What a reader holds once it has applied the answer.
  public var heldVersion: VersionToken? {
    switch self {
    case .snapshot(let version, _, _), .delta(let version, _), .unchanged(let version): version
    case .deleted: nil
    }
  }
}

/// A collection as the index of its client's shows it.
public struct CollectionSummary: Hashable, Sendable {
  /// Its name.
  public var name: ResourceName
  /// Its head.
  public var version: VersionToken
  /// The number of its items.
  public var itemCount: Int
  /// Why it cannot be served, for the log; nil when what the store has of it is not damaged.
  public var damage: String?

  /// Puts a summary together.
  public init(
    name: ResourceName, version: VersionToken, itemCount: Int, damage: String? = nil
  ) {
    self.damage = damage
    self.name = name
    self.version = version
    self.itemCount = itemCount
  }
}
