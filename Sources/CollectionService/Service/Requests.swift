public import DeltaEngine

/// A write to a collection.
public struct WriteRequest: Sendable {
  /// The kinds of change.
  public enum Change: Sendable {
    /// Replaces the content; `body` is a snapshot as JSON text.
    case put(body: [UInt8])
    /// Applies edits, given as JSON text.
    case edit(body: [UInt8])
    /// Applies a JSON Patch (RFC 6902) to the document that readers get.
    case patch(body: [UInt8])
    /// Replaces the settings, or applies a merge patch to them.
    case settings(body: [UInt8], isPatch: Bool)
    /// Restores a retained version; `body` is `{"to":…}` as JSON text.
    case revert(body: [UInt8])
    /// Creates or replaces the collection from an export, with the version that it had.
    case restore(ExportedCollection)
    /// Deletes the collection.
    case delete
  }

  /// What the writer gets in addition to the receipt.
  public enum Answer: Sendable {
    /// The receipt alone.
    case receipt
    /// The new snapshot.
    case snapshot(AnswerForm)
    /// The delta from the previous version.
    case delta(AnswerForm)
  }

  /// The change.
  public var change: Change
  /// The precondition that the collection must meet.
  public var precondition: Precondition
  /// What the writer gets in addition to the receipt.
  public var answer: Answer
  /// The key that identifies a retry of the same request.
  public var key: IdempotencyKey?
  /// The request's ID in the log.
  public var requestID: RequestID?
  /// Records what the request spends its time on; nil unless it is traced.
  public var stages: RequestStages?

  /// Creates a request.
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

/// The state that a collection must have for a write to proceed.
public struct Precondition: Hashable, Sendable {
  /// A set of versions.
  public enum Versions: Hashable, Sendable {
    /// Any version; the collection must exist.
    case any
    /// One of these version tokens.
    case oneOf([String])

    func contains(_ token: VersionToken?) -> Bool {
      guard let token else { return false }
      switch self {
      case .any: return true
      case .oneOf(let tokens): return tokens.contains(token.description)
      }
    }
  }

  /// Versions of which the head must be one (`If-Match`).
  public var match: Versions?
  /// Versions of which the head must be none (`If-None-Match`).
  public var noneMatch: Versions?
  /// The version that the head must be.
  public var version: VersionToken?
  /// Whether the head must be the version named in the body.
  public var isInBody = false
  /// Tags of which the settings must have one; nil for no condition.
  public var settingsTags: [String]?

  /// Creates an empty precondition.
  public init() {}

  /// Whether there is no condition on the version.
  public var isEmpty: Bool {
    match == nil && noneMatch == nil && version == nil && !isInBody
  }

  /// Returns the error if the precondition fails; nil arguments mean that the collection does not
  /// exist.
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

/// The result of a successful write.
public struct WriteReceipt: Sendable {
  /// The new head, or the last version of a deleted collection.
  public var version: VersionToken
  /// The previous head; nil if the collection did not exist.
  public var previous: VersionToken?
  /// Whether the content changed.
  public var isChanged: Bool
  /// Whether the collection was created.
  public var isCreated: Bool
  /// Whether the collection was deleted.
  public var isDeleted = false
  /// Whether this is the receipt of an earlier attempt with the same idempotency key.
  public var isReplayed = false
  /// The number of changes.
  public var counts: ChangeCounts
  /// The additional answer that was requested.
  public var answer: ReadAnswer?
}

/// The number of operations between two versions, including items of inserted and deleted sections.
public struct ChangeCounts: Hashable, Sendable {
  /// Inserted sections.
  public var sectionsInserted = 0
  /// Deleted sections.
  public var sectionsDeleted = 0
  /// Moved sections.
  public var sectionsMoved = 0
  /// Sections with a changed header.
  public var sectionsReloaded = 0
  /// Inserted items.
  public var inserted = 0
  /// Deleted items.
  public var deleted = 0
  /// Moved items.
  public var moved = 0
  /// Items with changed content.
  public var reloaded = 0
  /// Items in which only the nested list changed.
  public var nested = 0

  /// Creates counts of zero.
  public init() {}

  /// Counts the changes of a delta.
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

/// A request to read a collection.
public struct ReadRequest: Sendable {
  /// The version that the reader has; nil for none.
  public var since: VersionToken?
  /// Other versions that the reader has seen; the answer is not older than they are.
  public var versions: [VersionToken] = []
  /// The form of the answer.
  public var form: AnswerForm
  /// The longest time to wait for changes in seconds, clamped to the limit.
  public var waitSeconds: Int
  /// Whether to wait for a collection that does not exist.
  public var waitsForCollection: Bool
  /// Whether to fail instead of resetting the reader with a snapshot.
  public var isStrict: Bool
  /// Whether the reader always wants a snapshot.
  public var wantsSnapshot = false
  /// Records how long the request waits, if not nil.
  public var parkedTime: ParkedTime?
  /// The request's ID in the log.
  public var requestID: RequestID?
  /// Records what the request spends its time on; nil unless it is traced.
  public var stages: RequestStages?

  /// Creates a request.
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

/// Called with the answer and the head it was created from, or nil if no head is in memory.
///
/// While that head is current, the same request without waiting has the same answer.
public typealias ReadReply =
  @Sendable (_ result: Result<ReadAnswer, ServiceFailure>, _ head: PublishedHead?) -> Void

/// The answer to a reader.
public enum ReadAnswer: Sendable {
  /// The encoded content without its envelope, for a reader without a version or after a reset.
  case snapshot(VersionToken, content: EncodedText, reset: Reset?)
  /// The encoded delta to a version.
  case delta(VersionToken, body: EncodedText)
  /// The reader already has the head.
  case unchanged(VersionToken)
  /// The collection was deleted; its last version.
  case deleted(VersionToken)

  /// The version that the reader has after applying the answer.
  public var heldVersion: VersionToken? {
    switch self {
    case .snapshot(let version, _, _), .delta(let version, _), .unchanged(let version): version
    case .deleted: nil
    }
  }
}

/// An entry of a client's index.
public struct CollectionSummary: Hashable, Sendable {
  /// Its name.
  public var name: ResourceName
  /// Its head.
  public var version: VersionToken
  /// The number of its items.
  public var itemCount: Int
  /// The approximate size of its content in bytes; nil before it was first loaded.
  public var byteCount: Int?
  /// The bytes of its contents, as limits count them; nil if the store does not record them.
  public var contentByteCount: Int?
  /// Why the collection is damaged, for the log; nil if it is not.
  public var damage: String?
  /// See ``StoredCollection/revision``.
  public var revision: Int

  /// Creates a summary.
  public init(
    name: ResourceName, version: VersionToken, itemCount: Int, byteCount: Int? = nil,
    contentByteCount: Int? = nil, damage: String? = nil, revision: Int = 0
  ) {
    self.contentByteCount = contentByteCount
    self.revision = revision
    (self.name, self.version, self.damage) = (name, version, damage)
    (self.itemCount, self.byteCount) = (itemCount, byteCount)
  }
}
