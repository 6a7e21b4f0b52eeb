/// The requests of a client that carried keys, by the collection that they were about; those of
/// batches under nil.
///
/// A collection's are there also when it is gone. It knows how much memory all of them take.
struct IdempotencyLedgers {
  private var ledgers: [ResourceName?: IdempotencyLedger] = [:]
  /// About how much memory the records take.
  private(set) var byteCount = 0

  /// Whether no request is known or under way.
  var isEmpty: Bool { ledgers.values.allSatisfy(\.isEmpty) }

  /// Whether a request is under way.
  var areInFlight: Bool { ledgers.values.contains(where: \.isInFlight) }

  /// Whether those of a collection are in memory.
  func has(_ collection: ResourceName?) -> Bool { ledgers[collection] != nil }

  /// Reads or changes those of a collection.
  mutating func update<T>(
    _ collection: ResourceName?, _ body: (inout IdempotencyLedger) -> T
  ) -> T {
    let before = ledgers[collection]?.byteCount ?? 0
    defer { byteCount += (ledgers[collection]?.byteCount ?? 0) - before }
    return body(&ledgers[collection, default: IdempotencyLedger()])
  }

  /// Takes those of a collection as the store had them.
  mutating func put(_ ledger: IdempotencyLedger, _ collection: ResourceName?) {
    update(collection) { $0 = ledger }
  }

  /// Forgets those of a collection that the store has too, unless one is under way.
  mutating func evict(_ collection: ResourceName?) {
    guard let ledger = ledgers[collection], !ledger.isInFlight else { return }
    byteCount -= ledger.byteCount
    ledgers[collection] = nil
  }

  /// Forgets what is too old everywhere.
  mutating func expire(now: Int64, limits: ServiceLimits) {
    for collection in ledgers.keys {
      update(collection) { $0.expire(now: now, limits: limits) }
      if ledgers[collection]?.isEmpty == true { ledgers[collection] = nil }
    }
  }
}

extension IdempotencyRecord {
  /// About how much memory it takes.
  var byteCount: Int { 256 + 2 * key.text.utf8.count + receipts.count * 384 }
}
