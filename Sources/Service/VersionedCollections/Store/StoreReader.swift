/// Reads what a store has of its clients, in one view.
package protocol StoreReader {
  associatedtype Collection: StoredCollectionReader

  /// Lists a client's collections, damaged ones included.
  func summaries(of client: ResourceName) throws -> [CollectionSummary]

  /// Finds a collection; nil if it does not exist.
  func collection(_ client: ResourceName, _ name: ResourceName) throws -> Collection?

  /// Reads the newest idempotency records of a collection, or with an empty name of batches, oldest first.
  func records(
    of client: ResourceName, _ collection: String, since date: Int64, countMax: Int
  ) throws -> [[UInt8]]
}

extension StoreReader {
  package func value(
    of part: StoredPart, _ client: ResourceName, _ options: DurableStoreOptions
  ) throws -> StoredValue {
    switch part {
    case .summaries: return .summaries(try summaries(of: client))
    case .collection(let name, let known):
      guard let found = try collection(client, name) else { return .collection(nil) }
      if let known, try found.head().version == known { return .unchanged }
      return .collection(try found.load())
    case .version(let name, let version):
      let found = try collection(client, name)
      guard let found, found.lineage.name == version.lineage else { return .version(nil) }
      return .version(try found.load(at: version))
    case .history(let name): return .history(try collection(client, name)?.history())
    case .records(let name):
      let records = try records(
        of: client, name?.text ?? "", since: options.oldestRequestDate,
        countMax: options.requestsMax)
      return .records(try records.map { try IdempotencyRecord($0, about: name) })
    }
  }
}
