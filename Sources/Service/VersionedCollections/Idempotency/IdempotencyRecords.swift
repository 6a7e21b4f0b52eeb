import DeltaEngine

/// A completed request with its result, to be stored.
public struct IdempotencyRecord: Sendable {
  /// The collection of the request; nil for a batch.
  public var collection: ResourceName?
  /// The key of the request.
  public var key: IdempotencyKey
  /// The receipts returned to the writer.
  public var receipts: [WriteReceipt]
  /// The time of the request, in seconds since 1970.
  public var date: Int64

  package init(
    collection: ResourceName? = nil, key: IdempotencyKey, receipts: [WriteReceipt], date: Int64
  ) {
    self.collection = collection
    self.key = key
    self.receipts = receipts
    self.date = date
  }
}

/// The recent requests with idempotency keys, for one collection or a client's batches.
package struct IdempotencyRecords {
  package enum Status {
    /// The key is new.
    case unknown
    case inFlight
    case done([WriteReceipt])
    case reused
  }

  /// By the bytes of their keys, as stores compare them.
  private var records: [[UInt8]: IdempotencyRecord] = [:]
  /// Keys in order of arrival, for evicting the oldest.
  private var order: [[UInt8]] = []
  private var inFlight: Set<[UInt8]> = []
  /// The approximate size of the records in bytes.
  package private(set) var byteCount = HeapCost.requests

  package var isEmpty: Bool { records.isEmpty && inFlight.isEmpty }

  package var hasRequestsUnderWay: Bool { !inFlight.isEmpty }

  /// Creates records from stored ones, oldest first.
  package init(_ stored: [IdempotencyRecord] = []) {
    for record in stored {
      add(record)
    }
  }

  /// Returns the status of a request, after removing expired records.
  package mutating func status(of key: IdempotencyKey, now: Int64, limits: ServiceLimits) -> Status
  {
    expire(now: now, limits: limits)
    if inFlight.contains(key.bytes) { return .inFlight }
    return outcome(of: key) ?? .unknown
  }

  /// The outcome of an ended request with a key; nil if there was none.
  package func outcome(of key: IdempotencyKey) -> Status? {
    records[key.bytes].map {
      key.isSameRequest(as: $0.key) ? .done($0.receipts) : .reused
    }
  }

  /// These records, with the requests in flight of others.
  func withRequestsUnderWay(of other: IdempotencyRecords) -> IdempotencyRecords {
    var records = self
    records.inFlight = other.inFlight
    return records
  }

  package mutating func begin(_ key: IdempotencyKey) { inFlight.insert(key.bytes) }

  /// Marks a request as ended; `record` is nil if it may be retried.
  package mutating func end(_ key: IdempotencyKey, record: IdempotencyRecord?) {
    inFlight.remove(key.bytes)
    if let record { add(record) }
  }

  private mutating func add(_ record: IdempotencyRecord) {
    if let old = records.updateValue(record, forKey: record.key.bytes) {
      byteCount -= old.byteCount
    } else {
      order.append(record.key.bytes)
    }
    byteCount += record.byteCount
  }

  /// Removes expired records, and the oldest in excess of the limit.
  package mutating func expire(now: Int64, limits: ServiceLimits) {
    var dropped = 0
    while dropped < order.count {
      guard let record = records[order[dropped]] else { break }
      // Stored dates are only compared, because adding to them might overflow.
      let isOld = record.date < now - limits.idempotencySeconds
      guard isOld || order.count - dropped > limits.idempotencyKeysMax else { break }
      records[order[dropped]] = nil
      byteCount -= record.byteCount
      dropped += 1
    }
    order.removeFirst(dropped)
  }
}

extension IdempotencyRecord {
  package var byteCount: Int { 256 + 2 * key.text.utf8.count + receipts.count * 384 }
}
