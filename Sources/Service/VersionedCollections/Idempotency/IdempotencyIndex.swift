/// The idempotency records of a client, by collection; those of batches are under nil.
///
/// Records outlive their collection.
package struct IdempotencyIndex {
  private var records: [ResourceName?: IdempotencyRecords] = [:]
  /// The collections whose records the store may have more of.
  private var outdated: Set<ResourceName?> = []
  /// The approximate size of all records in bytes.
  package private(set) var byteCount = 0

  package init() {}

  /// Whether there are no records and no requests in flight.
  package var isEmpty: Bool { records.values.allSatisfy(\.isEmpty) }

  package var hasRequestsUnderWay: Bool { records.values.contains(where: \.hasRequestsUnderWay) }

  /// Whether the records of a collection are in memory.
  package func has(_ collection: ResourceName?) -> Bool {
    records[collection] != nil && !outdated.contains(collection)
  }

  /// Makes the records of a collection be loaded again.
  package mutating func outdate(_ collection: ResourceName?) { outdated.insert(collection) }

  /// Calls `body` with the records of a collection.
  package mutating func update<T>(
    _ collection: ResourceName?, _ body: (inout IdempotencyRecords) -> T
  ) -> T {
    let before = records[collection]?.byteCount ?? 0
    defer { byteCount += (records[collection]?.byteCount ?? 0) - before }
    return body(&records[collection, default: IdempotencyRecords()])
  }

  /// Sets the records of a collection loaded from the store.
  package mutating func put(_ known: IdempotencyRecords, _ collection: ResourceName?) {
    outdated.remove(collection)
    update(collection) { $0 = known.withRequestsUnderWay(of: $0) }
  }

  /// Removes the records of a collection, which the store has too, unless a request is in flight.
  package mutating func evict(_ collection: ResourceName?) {
    guard let known = records[collection], !known.hasRequestsUnderWay else { return }
    byteCount -= known.byteCount
    records[collection] = nil
  }

  package mutating func expire(now: Int64, limits: ServiceLimits) {
    for collection in records.keys {
      update(collection) { $0.expire(now: now, limits: limits) }
      guard let known = records[collection], known.isEmpty else { continue }
      byteCount -= known.byteCount
      records[collection] = nil
    }
  }
}
