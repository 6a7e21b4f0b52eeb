/// The requests of a client that carried keys, by the collection that they were about; those of
/// batches under nil.
///
/// Records outlive their collection. The index counts how much memory all of them take.
struct IdempotencyIndex {
  private var records: [ResourceName?: IdempotencyRecords] = [:]
  /// About how much memory the records take.
  private(set) var byteCount = 0

  /// Whether no request is known or under way.
  var isEmpty: Bool { records.values.allSatisfy(\.isEmpty) }

  /// Whether a request is under way.
  var hasRequestsUnderWay: Bool { records.values.contains(where: \.hasRequestsUnderWay) }

  /// Whether those of a collection are in memory.
  func has(_ collection: ResourceName?) -> Bool { records[collection] != nil }

  /// Reads or changes those of a collection.
  mutating func update<T>(
    _ collection: ResourceName?, _ body: (inout IdempotencyRecords) -> T
  ) -> T {
    let before = records[collection]?.byteCount ?? 0
    defer { byteCount += (records[collection]?.byteCount ?? 0) - before }
    return body(&records[collection, default: IdempotencyRecords()])
  }

  /// Takes those of a collection as the store had them.
  mutating func put(_ known: IdempotencyRecords, _ collection: ResourceName?) {
    update(collection) { $0 = known }
  }

  /// Forgets those of a collection that the store has too, unless one is under way.
  mutating func evict(_ collection: ResourceName?) {
    guard let known = records[collection], !known.hasRequestsUnderWay else { return }
    byteCount -= known.byteCount
    records[collection] = nil
  }

  /// Forgets what is too old everywhere.
  mutating func expire(now: Int64, limits: ServiceLimits) {
    for collection in records.keys {
      update(collection) { $0.expire(now: now, limits: limits) }
      if records[collection]?.isEmpty == true { records[collection] = nil }
    }
  }
}

extension IdempotencyRecord {
  /// About how much memory it takes.
  var byteCount: Int { 256 + 2 * key.text.utf8.count + receipts.count * 384 }
}
