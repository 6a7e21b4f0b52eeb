/// Something that went wrong inside the service or its store: what its log is to say.
///
/// No text of a fault holds contents, ids of items or secrets; names are members of their own, so
/// that a log can hash them.
public struct Fault: Error, Hashable, Sendable {
  /// What went wrong; the raw value is the word in the log and the metrics.
  public enum Kind: String, CaseIterable, Sendable {
    /// The store could not be read or written.
    case storeUnavailable = "store-unavailable"
    /// The store has no room left.
    case storageFull = "storage-full"
    /// A write did not reach the disk for certain.
    case unsynced
    /// What is stored of a collection is not what was written.
    case collectionDamaged = "collection-damaged"
    /// A delta breaks a law of the strict simulator, or could not be computed.
    case deltaRefused = "delta-refused"
    /// A collection's new image was not written.
    case image
    /// The write-ahead log was not moved into the database.
    case checkpoint
    /// Old requests or deleted collections were not cleared away.
    case cleanup
    /// A write that tests whether the store works again failed.
    case probe
    /// Others can read a file of the store.
    case fileMode = "file-mode"
    /// Anything else: a bug of the service.
    case other
  }

  /// What went wrong.
  public var kind: Kind
  /// The cause, for those who run the service.
  public var text: String
  /// The client concerned, if it is one.
  public var client: ResourceName?
  /// The collection concerned, if it is one.
  public var collection: ResourceName?
  /// The request that met it; nil for work that no request waits for.
  public var requestID: RequestID?

  /// Puts a fault together.
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

/// Takes faults to the log; called on any thread, and must not block.
public typealias FaultSink = @Sendable (Fault) -> Void

/// What a request is called, in its answer and in the log.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// Printable ASCII without what JSON escapes.
  public let bytes: [UInt8]

  /// An id that was checked to need no escapes in a log.
  public init(checked bytes: [UInt8]) { self.bytes = bytes }

  /// The id as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension Fault {
  /// A fault of the store.
  public init(
    _ error: StoreError, client: ResourceName? = nil, collection: ResourceName? = nil,
    requestID: RequestID? = nil
  ) {
    self.init(
      error.faultKind, error.text, client: client, collection: collection, requestID: requestID)
  }
}

extension StoreError {
  /// What it is in the log.
  fileprivate var faultKind: Fault.Kind {
    switch self {
    case .conflict: .other
    case .full: .storageFull
    case .unavailable: .storeUnavailable
    case .unsynced: .unsynced
    case .damaged: .collectionDamaged
    }
  }

  /// The cause, for the log.
  public var text: String {
    switch self {
    case .conflict: "the store has another version than the service"
    case .full(let text), .unavailable(let text), .unsynced(let text), .damaged(let text): text
    }
  }
}
