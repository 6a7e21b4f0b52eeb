/// A failure inside the service or its store, to be logged.
///
/// Texts contain no contents, ids of items or secrets. Names are separate properties, so that a log
/// can hash them.
public struct Fault: Error, Hashable, Sendable {
  /// The kinds of fault; the raw value is the word in the log and the metrics.
  public enum Kind: String, CaseIterable, Sendable {
    /// The store could not be read or written.
    case storeUnavailable = "store-unavailable"
    /// The disk is full.
    case storageFull = "storage-full"
    /// A write may have been committed or not.
    case outcomeUnknown = "outcome-unknown"
    /// A write may not have reached the disk.
    case unsynced
    /// The stored data of a collection is corrupt.
    case collectionDamaged = "collection-damaged"
    /// A delta could not be computed or violates a law of the strict simulator.
    case deltaRefused = "delta-refused"
    /// An answer could not be made of what is stored, or a restriction not be imposed on it.
    case view
    /// Writing a new image of a collection failed.
    case image
    /// Checkpointing the write-ahead log into the database failed.
    case checkpoint
    /// Clearing away old idempotency records or deleted collections failed.
    case cleanup
    /// A writer that does not end holds up the feed of changes of a shared store.
    case feed
    /// Notices of other services over a shared store do not arrive.
    case notices
    /// The write that tests whether the store works again failed.
    case probe
    /// A file of the store is accessible to others.
    case fileMode = "file-mode"
    /// Changes could not be pushed to the webhook, and were given up.
    case webhook
    /// Lines of the log of requests were not written, or its file could not be opened again.
    case accessLog = "access-log"
    /// Spans of traces were not exported.
    case traces
    /// A bug in the service.
    case other
  }

  /// The kind of fault.
  public var kind: Kind
  /// Whether all works in spite of it, only slower.
  public var isWarning: Bool { kind == .notices }
  /// The cause, for operators.
  public var text: String
  /// The client concerned, if any.
  public var client: ResourceName?
  /// The collection concerned, if any.
  public var collection: ResourceName?
  /// The request that encountered it; nil for background work.
  public var requestID: RequestID?

  /// Creates a fault.
  public init(
    _ kind: Kind, _ text: String, client: ResourceName? = nil, collection: ResourceName? = nil,
    requestID: RequestID? = nil
  ) {
    self.kind = kind
    self.text = text
    self.client = client
    self.collection = collection
    self.requestID = requestID
  }
}

/// Reports faults; called on any thread, and must not block.
public typealias FaultSink = @Sendable (Fault) -> Void

extension Fault {
  /// Creates a fault from an error of the store.
  public init(
    _ error: StoreError, client: ResourceName? = nil, collection: ResourceName? = nil,
    requestID: RequestID? = nil
  ) {
    self.init(
      error.faultKind, error.text, client: client, collection: collection, requestID: requestID)
  }
}

extension StoreError {
  fileprivate var faultKind: Fault.Kind {
    switch self {
    case .conflict: .other
    case .full: .storageFull
    case .unavailable: .storeUnavailable
    case .unknown: .outcomeUnknown
    case .unsynced: .unsynced
    case .damaged: .collectionDamaged
    }
  }

  /// The cause, for the log.
  public var text: String {
    switch self {
    case .conflict: "the store has another version than the service"
    case .full(let text), .unavailable(let text), .unknown(let text), .unsynced(let text),
      .damaged(let text):
      text
    }
  }
}
