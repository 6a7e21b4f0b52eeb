/// Copies what a store has to another one: collections with their settings, versions and contents of
/// older versions, and the idempotency keys of collections, also of deleted ones, and of batches.
///
/// It can be cut off anywhere and run again. A collection is committed whole, after all keys: what
/// the target has at the same version is done. Nothing else may write to the collections meanwhile.
public struct StoreCopy: Sendable {
  /// What was copied.
  public struct Report: Sendable {
    /// Collections that were copied.
    public var copied = 0
    /// Collections that the target already had.
    public var present = 0
    /// Collections that cannot be read, with the reason.
    public var damaged: [(key: CollectionKey, reason: String)] = []
    /// Collections copied without the contents of their older versions, which are damaged.
    public var shortened: [(key: CollectionKey, reason: String)] = []
  }

  private let source: any CollectionStore
  private let target: any CollectionStore
  private static let clientsPerPage = 100
  private static let ownersPerPage = 1000

  /// Creates a copy; both stores must keep contents.
  public init(from source: any CollectionStore, to target: any CollectionStore) {
    (self.source, self.target) = (source, target)
  }

  /// Copies, in the order of the names.
  ///
  /// - Parameter note: Called with what was copied so far after each collection.
  /// - Returns: What was copied.
  /// - Throws: `StoreCopyError` at the first collection that cannot be copied.
  public func run(_ note: (Report) -> Void = { _ in }) async throws(StoreCopyError) -> Report {
    try await copyRecords()
    var report = Report()
    var last: ResourceName?
    while true {
      let page = try await clients(after: last)
      for client in page { try await copy(client.name, &report, note) }
      guard let end = page.last?.name else { return report }
      last = end
    }
  }

  private func copy(
    _ client: ResourceName, _ report: inout Report, _ note: (Report) -> Void
  ) async throws(StoreCopyError) {
    var present: [ResourceName: VersionToken] = [:]
    for summary in try await summaries(of: client, in: target) {
      present[summary.name] = summary.version
    }
    for summary in try await summaries(of: client, in: source).sorted(by: { $0.name < $1.name }) {
      let key = CollectionKey(client: client, name: summary.name)
      if let version = present[summary.name] {
        guard version == summary.version else {
          throw StoreCopyError(key: key, cause: .differs(version))
        }
        report.present += 1
      } else {
        do throws(StoreCopyError) {
          guard let history = try await copy(key) else { continue }
          report.copied += 1
          if let damage = history.damage { report.shortened.append((key, damage.reason)) }
        } catch {
          guard case .store(.damaged(let reason)) = error.cause else { throw error }
          report.damaged.append((key, reason))
        }
      }
      note(report)
    }
  }

  /// Copies a collection; nil if it does not exist any more.
  private func copy(_ key: CollectionKey) async throws(StoreCopyError) -> StoredHistory? {
    let part = StoredPart.history(key.name)
    guard case .history(let history?) = try await source.value(of: part, key.client, key) else {
      return nil
    }
    guard history.collection.version.leavesRoom else {
      let reason = "its version \(history.collection.version) leaves no room for those that follow"
      throw StoreCopyError(key: key, cause: .store(.damaged(reason)))
    }
    let entry = StoreTransaction.Entry(
      name: key.name, expected: nil, expectedRevision: nil, change: .restore(history))
    try await target.commit(StoreTransaction(client: key.client, entries: [entry]), key)
    return history
  }

  private func copyRecords() async throws(StoreCopyError) {
    var last: RecordOwner?
    while true {
      let page = try await recordOwners(after: last)
      for owner in page {
        let collection = ResourceName(owner.collection)
        guard let client = ResourceName(owner.client),
          collection != nil || owner.collection.isEmpty
        else { continue }
        try await copyRecords(of: collection, client)
      }
      guard let end = page.last else { return }
      last = end
    }
  }

  /// Copies the records that the target does not have, oldest first.
  private func copyRecords(
    of collection: ResourceName?, _ client: ResourceName
  ) async throws(StoreCopyError) {
    let key = collection.map { CollectionKey(client: client, name: $0) }
    let part = StoredPart.records(collection)
    guard case .records(let records) = try await source.value(of: part, client, key),
      !records.isEmpty,
      case .records(let known) = try await target.value(of: part, client, key)
    else { return }
    let present = Set(known.map(\.key.text))
    for record in records where !present.contains(record.key.text) {
      try await target.commit(
        StoreTransaction(client: client, entries: [], idempotency: record), key)
    }
  }

  private func recordOwners(
    after owner: RecordOwner?
  ) async throws(StoreCopyError) -> [RecordOwner] {
    let result = await completion {
      source.recordOwners(after: owner, countMax: Self.ownersPerPage, completion: $0)
    }
    return try StoreCopyError.unwrap(result, nil)
  }

  private func clients(after name: ResourceName?) async throws(StoreCopyError) -> [ClientSummary] {
    let result = await completion {
      source.clients(in: .all, after: name, limit: Self.clientsPerPage, completion: $0)
    }
    return try StoreCopyError.unwrap(result, nil)
  }

  private func summaries(
    of client: ResourceName, in store: any CollectionStore
  ) async throws(StoreCopyError) -> [CollectionSummary] {
    guard case .summaries(let list) = try await store.value(of: .summaries, client, nil) else {
      return []
    }
    return list
  }
}

/// Why a copy ended.
public struct StoreCopyError: Error, CustomStringConvertible {
  /// The reasons.
  public enum Cause: Sendable {
    /// A store failed.
    case store(StoreError)
    /// The target has the collection at another version.
    case differs(VersionToken)
  }

  /// The collection, if it is about one.
  public var key: CollectionKey?
  /// The reason.
  public var cause: Cause

  /// What is wrong and what to do.
  public var description: String {
    let subject = key.map { "\($0.client.text)/\($0.name.text): " } ?? ""
    switch cause {
    case .store(.conflict): return subject + "it was written at the target meanwhile"
    case .store(let error): return subject + error.text
    case .differs(let version):
      return subject + "the target has it at another version, \(version): delete it there first"
    }
  }

  fileprivate static func unwrap<T>(
    _ result: Result<T, StoreError>, _ key: CollectionKey?
  ) throws(StoreCopyError) -> T {
    switch result {
    case .success(let value): return value
    case .failure(let error): throw StoreCopyError(key: key, cause: .store(error))
    }
  }
}

extension CollectionStore {
  fileprivate func value(
    of part: StoredPart, _ client: ResourceName, _ key: CollectionKey?
  ) async throws(StoreCopyError) -> StoredValue {
    try StoreCopyError.unwrap(await completion { read([part], of: client, completion: $0) }[0], key)
  }

  fileprivate func commit(
    _ transaction: StoreTransaction, _ key: CollectionKey?
  ) async throws(StoreCopyError) {
    try StoreCopyError.unwrap(await completion { commit(transaction, completion: $0) }, key)
  }
}
