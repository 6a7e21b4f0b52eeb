public import DeltaEngine

/// What tells a repeated request from a new one.
public struct IdempotencyKey: Hashable, Sendable {
  /// The key that the writer made up.
  public var text: String
  /// The hash of the request: the same key with another hash is a writer's mistake.
  public var fingerprint: ContentHash

  /// The most bytes of a key.
  public static let byteCountMax = 128

  /// Puts the two together.
  public init(text: String, fingerprint: ContentHash) {
    self.text = text
    self.fingerprint = fingerprint
  }
}

/// A request that was carried out, to be stored with what it did.
public struct IdempotencyRecord: Sendable {
  /// The collection that it was about; nil for a batch.
  public var collection: ResourceName?
  /// Its key.
  public var key: IdempotencyKey
  /// What it was answered with.
  public var receipts: [WriteReceipt]
  /// When, in seconds since 1970.
  public var date: Int64
}

/// The requests of late that carried keys, of one collection or of a client's batches.
struct IdempotencyRecords {
  /// What is known of a request with a key.
  enum Status {
    /// It is new.
    case unknown
    /// It is under way.
    case inFlight
    /// It was carried out.
    case done([WriteReceipt])
    /// Another request had the key.
    case reused
  }

  private var records: [String: IdempotencyRecord] = [:]
  /// Keys in the order they came, to forget the oldest.
  private var order: [String] = []
  private var inFlight: Set<String> = []
  /// About how much memory the records take.
  private(set) var byteCount = 0

  var isEmpty: Bool { records.isEmpty && inFlight.isEmpty }

  /// Whether a request is under way.
  var hasRequestsUnderWay: Bool { !inFlight.isEmpty }

  /// No requests, or those that a store gave back, oldest first.
  init(_ stored: [IdempotencyRecord] = []) {
    for record in stored {
      add(record)
    }
  }

  /// What is known of a request.
  mutating func status(of key: IdempotencyKey, now: Int64, limits: ServiceLimits) -> Status {
    expire(now: now, limits: limits)
    if inFlight.contains(key.text) { return .inFlight }
    guard let record = records[key.text] else { return .unknown }
    return record.key.fingerprint == key.fingerprint ? .done(record.receipts) : .reused
  }

  mutating func begin(_ key: IdempotencyKey) { inFlight.insert(key.text) }

  /// Notes that a request has ended; `record` is nil when it may be tried again.
  mutating func end(_ key: IdempotencyKey, record: IdempotencyRecord?) {
    inFlight.remove(key.text)
    if let record { add(record) }
  }

  private mutating func add(_ record: IdempotencyRecord) {
    if let old = records.updateValue(record, forKey: record.key.text) {
      byteCount -= old.byteCount
    } else {
      order.append(record.key.text)
    }
    byteCount += record.byteCount
  }

  /// Forgets what is too old, and the oldest of too many.
  mutating func expire(now: Int64, limits: ServiceLimits) {
    var dropped = 0
    while dropped < order.count {
      guard let record = records[order[dropped]] else { break }
      // Dates come from a store and are only compared: their sums might not fit.
      let isOld = record.date < now - limits.idempotencySeconds
      guard isOld || order.count - dropped > limits.idempotencyKeysMax else { break }
      records[order[dropped]] = nil
      byteCount -= record.byteCount
      dropped += 1
    }
    order.removeFirst(dropped)
  }
}
