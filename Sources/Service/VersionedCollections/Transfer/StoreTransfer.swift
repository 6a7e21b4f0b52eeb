/// Reads what a store has, as the lines of an export.
public struct StoreExport: Sendable {
  private let store: any CollectionStore
  private let client: ResourceName?
  private static let clientsPerPage = 100
  private static let ownersPerPage = 1000

  /// Creates an export of a store that keeps contents; of one client, or all.
  public init(of store: any CollectionStore, client: ResourceName? = nil) {
    (self.store, self.client) = (store, client)
  }

  /// Reads all idempotency keys, oldest first, also of deleted collections, and then the collections, in
  /// the order of their names.
  ///
  /// A line is read when the one before was taken.
  ///
  /// - Parameter take: Called with each line.
  /// - Throws: `TransferError` at the first failure of the store, and what `take` throws.
  public func run(
    _ take: (TransferLine) async throws(TransferError) -> Void
  ) async throws(TransferError) {
    try await take(.head)
    try await takeKeys(take)
    let range = client.map { NameRange(only: $0.text) } ?? .all
    var page: [ClientSummary]
    var last: ResourceName?
    repeat {
      let after = last
      page = try TransferError.unwrap(
        await completion {
          store.clients(in: range, after: after, limit: Self.clientsPerPage, completion: $0)
        })
      for client in page { try await takeCollections(of: client.name, take) }
      last = page.last?.name
    } while !page.isEmpty
    try await take(.end)
  }

  private func takeCollections(
    of client: ResourceName, _ take: (TransferLine) async throws(TransferError) -> Void
  ) async throws(TransferError) {
    for summary in try await store.summaries(of: client).sorted(by: { $0.name < $1.name }) {
      let key = CollectionKey(client: client, name: summary.name)
      let result = await store.value(of: .history(summary.name), client)
      switch result {
      case .success(.history(let history?)): try await take(.collection(history, key))
      case .failure(.damaged(let reason)): try await take(.damaged(key, reason))
      case .failure(let error): throw TransferError(key: key, cause: .store(error))
      // It does not exist any more.
      case .success: break
      }
    }
  }

  private func takeKeys(
    _ take: (TransferLine) async throws(TransferError) -> Void
  ) async throws(TransferError) {
    var page: [RecordOwner]
    var last: RecordOwner?
    repeat {
      let after = last
      page = try TransferError.unwrap(
        await completion {
          store.recordOwners(after: after, countMax: Self.ownersPerPage, completion: $0)
        })
      for owner in page {
        let collection = ResourceName(owner.collection)
        guard let client = ResourceName(owner.client), self.client ?? client == client,
          collection != nil || owner.collection.isEmpty
        else { continue }
        for record in try await store.records(of: collection, client) {
          try await take(.key(record, client: client))
        }
      }
      last = page.last
    } while !page.isEmpty
  }
}

/// Writes the lines of an export to a store.
///
/// It can be cut off anywhere and run again: a collection is committed whole, after all keys, and what
/// the store has at the same version is done. Nothing else may write to the collections meanwhile.
public struct StoreImport: Sendable {
  /// What was imported.
  public struct Report: Sendable {
    /// Collections that were written.
    public var copied = 0
    /// Collections that the store already had.
    public var present = 0
    /// Collections that could not be read, with the reason.
    public var damaged: [(key: CollectionKey, reason: String)] = []
    /// Collections without the contents of their older versions, which are damaged.
    public var shortened: [(key: CollectionKey, reason: String)] = []
    /// Whether the last line was among those that were added.
    public var isComplete = false
  }

  private let store: any CollectionStore
  /// What was imported so far.
  public private(set) var report = Report()
  /// What the store has of the last client, and the keys of the last collection.
  private var versions: (client: ResourceName, known: [ResourceName: VersionToken])?
  private var keys: (client: ResourceName, collection: ResourceName?, known: Set<String>)?

  /// Creates an import to a store that keeps contents.
  public init(to store: any CollectionStore) { self.store = store }

  /// Writes a line.
  ///
  /// - Throws: `TransferError` if it cannot be written.
  public mutating func add(_ line: TransferLine) async throws(TransferError) {
    switch line {
    case .head: break
    case .key(let record, let client): try await add(record, client)
    case .collection(let history, let key): try await add(history, key)
    case .damaged(let key, let reason): report.damaged.append((key, reason))
    case .end: report.isComplete = true
    }
  }

  private mutating func add(
    _ record: IdempotencyRecord, _ client: ResourceName
  ) async throws(TransferError) {
    if keys?.client != client || keys?.collection != record.collection {
      let known = try await store.records(of: record.collection, client)
      keys = (client, record.collection, Set(known.map(\.key.text)))
    }
    if keys?.known.contains(record.key.text) == true { return }
    try await commit(StoreTransaction(client: client, entries: [], idempotency: record), nil)
  }

  private mutating func add(
    _ history: StoredHistory, _ key: CollectionKey
  ) async throws(TransferError) {
    if versions?.client != key.client {
      let list = try await store.summaries(of: key.client)
      versions = (key.client, .init(list.map { ($0.name, $0.version) }) { $1 })
    }
    let version = history.collection.version
    if let known = versions?.known[key.name] {
      guard known == version else { throw TransferError(key: key, cause: .differs(known)) }
      report.present += 1
      return
    }
    guard version.leavesRoom else {
      report.damaged.append(
        (key, "its version \(version) leaves no room for those that follow"))
      return
    }
    let entry = StoreTransaction.Entry(
      name: key.name, expected: nil, expectedRevision: nil, change: .restore(history))
    try await commit(StoreTransaction(client: key.client, entries: [entry]), key)
    report.copied += 1
    if let damage = history.damage { report.shortened.append((key, damage.reason)) }
  }

  private func commit(
    _ transaction: StoreTransaction, _ key: CollectionKey?
  ) async throws(TransferError) {
    try TransferError.unwrap(await completion { store.commit(transaction, completion: $0) }, key)
  }
}

/// Why an export or an import ended.
public struct TransferError: Error, CustomStringConvertible {
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
    _ result: Result<T, StoreError>, _ key: CollectionKey? = nil
  ) throws(TransferError) -> T {
    switch result {
    case .success(let value): return value
    case .failure(let error): throw TransferError(key: key, cause: .store(error))
    }
  }
}

extension CollectionStore {
  fileprivate func value(
    of part: StoredPart, _ client: ResourceName
  ) async -> Result<StoredValue, StoreError> {
    await completion { read([part], of: client, completion: $0) }[0]
  }

  fileprivate func summaries(
    of client: ResourceName
  ) async throws(TransferError) -> [CollectionSummary] {
    let value = try TransferError.unwrap(await value(of: .summaries, client))
    guard case .summaries(let list) = value else { return [] }
    return list
  }

  fileprivate func records(
    of collection: ResourceName?, _ client: ResourceName
  ) async throws(TransferError) -> [IdempotencyRecord] {
    let value = try TransferError.unwrap(await value(of: .records(collection), client))
    guard case .records(let records) = value else { return [] }
    return records
  }
}
