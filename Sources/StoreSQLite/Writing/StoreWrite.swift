import GRDB
import VersionedCollections

/// An encoded transaction, ready to be written.
struct StoreWrite: Sendable {
  private enum Change: Sendable {
    /// An image, and the changes from version `oldest`, whose contents it has too.
    case image(
      StoredData, VersionToken, itemCount: Int, StoredSettings?, oldest: Int, [OlderChange])
    case change(StoredData, VersionToken, itemCount: Int, StoredSettings?)
    case settings(StoredSettings)
    case check
    case delete
  }

  private typealias OlderChange = (data: StoredData, version: VersionToken, itemCount: Int)

  private struct Entry: Sendable {
    var name: ResourceName
    var expected: VersionToken?
    var change: Change
    /// The bytes of its contents; nil if they are not recorded or do not change.
    var contentBytes: Int?
  }

  private let client: ResourceName
  private let entries: [Entry]
  private let request: (bytes: [UInt8], date: Int64, collection: String)?
  private let newID: @Sendable () -> Int64

  /// Encodes a transaction.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - parts: Receives data too large for the final transaction.
  ///   - recordsSizes: Whether the sizes of contents are recorded.
  ///   - newID: Returns an ID for a new collection.
  init(
    _ transaction: StoreTransaction, _ parts: inout PartList, recordsSizes: Bool,
    newID: @escaping @Sendable () -> Int64
  ) {
    client = transaction.client
    self.newID = newID
    entries = transaction.entries.map { entry in
      var contentBytes: Int?
      switch entry.change {
      case .put(let version) where recordsSizes:
        contentBytes = version.contents.contentByteCount
      case .restore(let history) where recordsSizes:
        contentBytes = history.collection.contentByteCount
      default: break
      }
      return Entry(
        name: entry.name, expected: entry.expected, change: Self.encoded(entry.change, &parts),
        contentBytes: contentBytes)
    }
    request = transaction.idempotency.map {
      ($0.encoded, $0.date, $0.collection?.text ?? "")
    }
  }

  private static func encoded(
    _ change: StoreTransaction.Change, _ parts: inout PartList
  ) -> Change {
    switch change {
    case .put(let version):
      let count = version.contents.itemCount
      // Store an image when the version number wraps in the lower half of a change's id: see
      // `Schema`.
      if version.token.seq & 0xffff_ffff != 0, let bytes = version.encodedChange() {
        return .change(parts.add(bytes), version.token, itemCount: count, version.settings)
      }
      return .image(
        parts.add(version.encodedImage()), version.token, itemCount: count, version.settings,
        oldest: version.token.seq, [])
    case .restore(var history):
      // Likewise, the changes of another store must not lead across it.
      if history.changes.contains(where: { $0.version.seq & 0xffff_ffff == 0 }) {
        history = StoredHistory(history.collection)
      }
      let stored = history.collection
      return .image(
        parts.add(stored.image()), stored.version, itemCount: stored.itemCount,
        stored.storedSettings, oldest: stored.oldestWithContents,
        history.changes.map { (parts.add($0.bytes), $0.version, $0.itemCount) })
    case .configure(let settings): return .settings(settings)
    case .delete: return .delete
    case .check: return .check
    }
  }

  /// Writes all changes, or none.
  ///
  /// - Returns: `conflict` if a collection is not at the expected version; nothing is written.
  func run(_ tables: StoreTables, _ maintenance: StoreMaintenance) throws -> StoreError? {
    var heads: [HeadCache.Head?] = []
    for entry in entries {
      let head = try tables.head(key(entry))
      guard head?.version == entry.expected else {
        if let damage = head?.damage { throw damage }
        return .conflict
      }
      heads.append(head)
    }
    for (entry, head) in zip(entries, heads) { try write(entry, head, tables, maintenance) }
    if let request {
      let (ledger, number) = try tables.put(
        request.bytes, date: request.date, client.text, request.collection)
      maintenance.note(ledger: ledger, number: number)
    }
    return nil
  }

  private func key(_ entry: Entry) -> CollectionKey {
    CollectionKey(client: client, name: entry.name)
  }

  private func write(
    _ entry: Entry, _ head: HeadCache.Head?, _ tables: StoreTables, _ maintenance: StoreMaintenance
  ) throws {
    var id = head?.id
    switch entry.change {
    case .image(let data, let version, let count, let settings, let oldest, let changes):
      if let head, version.replaces(head.version) {
        try tables.delete(head.id)
        maintenance.noteDeleted(head.id)
        id = nil
      }
      let number = id ?? newID()
      // The number must fit into the upper half of a change's id.
      guard number <= Int64(Int32.max) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
      if id == nil {
        try tables.insert(number, client.text, entry.name.text, lineage: version.lineage)
      } else {
        maintenance.noteImage(number)
      }
      try tables.put(image: data, version, itemCount: count, of: number, oldest: oldest)
      for change in changes {
        try tables.put(
          change: change.data, change.version, itemCount: change.itemCount, of: number)
      }
      if let settings { try tables.set(settings, of: number) }
      if let bytes = entry.contentBytes { try tables.set(contentBytes: bytes, of: number) }
      tables.heads?[key(entry)] = HeadCache.Head(id: number, version: version)
    case .change(let data, let version, let count, let settings):
      guard let id else { return }
      try tables.put(change: data, version, itemCount: count, of: id)
      if let settings { try tables.set(settings, of: id) }
      if let bytes = entry.contentBytes { try tables.set(contentBytes: bytes, of: id) }
      tables.heads?[key(entry)] = HeadCache.Head(id: id, version: version)
      try maintenance.note(id, change: data.byteCount, tables)
    case .settings(let settings):
      if let id { try tables.set(settings, of: id) }
    case .check: break
    case .delete:
      guard let id else { return }
      try tables.delete(id)
      if let version = entry.expected {
        try tables.note(deletionOf: key(entry), version, date: maintenance.options.date())
      }
      tables.heads?[key(entry)] = nil
      maintenance.noteDeleted(id)
    }
  }
}

extension VersionToken {
  /// Whether it does not follow another version, but takes its place with all of its history.
  fileprivate func replaces(_ other: VersionToken) -> Bool {
    lineage != other.lineage || seq < other.seq
  }
}
