import VersionedCollections

struct StoreWrite: Sendable {
  private enum Change: Sendable {
    /// An image, and the changes from version `oldest`, whose contents it has too.
    case image(StoredRow, Lineage, StoredSettings?, oldest: Int, [StoredRow])
    case change(StoredRow, StoredSettings?)
    case settings(StoredSettings)
    case check
    case delete
  }

  private struct Entry: Sendable {
    var key: CollectionKey
    var expected: VersionToken?
    var change: Change
  }

  private let options: StoreOptions
  private var entries: [Entry] = []
  private let request: (bytes: [UInt8], date: Int64, owner: RecordOwner)?
  /// The changes since images in it, with their sizes in bytes.
  private(set) var changes: [(key: CollectionKey, seq: Int, byteCount: Int)] = []
  /// Whether it takes something away that has to be cleared.
  private(set) var leavesGarbage = false

  /// Encodes a transaction; `parts` receives data too large for the final one.
  init(_ transaction: StoreTransaction, _ parts: inout PartList, _ options: StoreOptions) {
    self.options = options
    let client = transaction.client
    request = transaction.idempotency.map {
      let owner = RecordOwner(client: client.text, collection: $0.collection?.text ?? "")
      return ($0.encoded, $0.date, owner)
    }
    for entry in transaction.entries {
      let key = CollectionKey(client: client, name: entry.name)
      let change = encoded(entry.change, key, &parts)
      switch change {
      case .image, .delete: leavesGarbage = leavesGarbage || entry.expected != nil
      default: break
      }
      entries.append(Entry(key: key, expected: entry.expected, change: change))
    }
  }

  private mutating func encoded(
    _ change: StoreTransaction.Change, _ key: CollectionKey, _ parts: inout PartList
  ) -> Change {
    switch change {
    case .put(let version):
      let (token, count) = (version.token, version.contents.itemCount)
      // Store an image when the version number wraps in the lower half of a change's id: see
      // `Schema`.
      if token.seq & 0xffff_ffff != 0, let bytes = version.encodedChange() {
        changes.append((key, token.seq, bytes.count))
        return .change(parts.add(bytes, token, itemCount: count), version.settings)
      }
      let image = parts.add(version.encodedImage(), token, itemCount: count)
      return .image(image, version.lineage, version.settings, oldest: token.seq, [])
    case .restore(var history):
      // Likewise, the changes of another store must not lead across it.
      if history.changes.contains(where: { $0.version.seq & 0xffff_ffff == 0 }) {
        history = StoredHistory(history.collection)
      }
      let stored = history.collection
      return .image(
        parts.add(stored.image(), stored.version, itemCount: stored.itemCount),
        stored.lineage, stored.storedSettings, oldest: stored.oldestWithContents,
        history.changes.map { parts.add($0.bytes, $0.version, itemCount: $0.itemCount) })
    case .configure(let settings): return .settings(settings)
    case .delete: return .delete
    case .check: return .check
    }
  }

  /// Whether it only deletes.
  var frees: Bool {
    entries.contains { if case .delete = $0.change { true } else { false } }
      && entries.allSatisfy {
        switch $0.change {
        case .delete, .check: true
        case .image, .change, .settings: false
        }
      }
  }

  /// Writes all changes, or none.
  ///
  /// - Returns: `conflict` if a collection is not at the expected version; nothing is written.
  func run(_ tables: StoreTables) throws -> StoreError? {
    var heads: [HeadCache.Head?] = []
    for entry in entries {
      let head = try tables.head(entry.key)
      guard head?.version == entry.expected else {
        if let damage = head?.damage { throw damage }
        return .conflict
      }
      heads.append(head)
    }
    for (entry, head) in zip(entries, heads) { try write(entry, head, tables) }
    if let (bytes, date, owner) = request {
      try tables.put(bytes, date: date, owner, countMax: options.requestsMax)
    }
    return nil
  }

  private func write(_ entry: Entry, _ head: HeadCache.Head?, _ tables: StoreTables) throws {
    switch (entry.change, head) {
    case (.image(let image, let lineage, let settings, let oldest, let changes), let head):
      let id = try head?.id ?? tables.insert(entry.key, lineage)
      try tables.put(image: image, of: id, oldest: oldest)
      for change in changes { try tables.put(change: change, of: id) }
      try end(entry, id, image.version, settings, tables)
    case (.change(let change, let settings), let head?):
      try tables.put(change: change, of: head.id)
      try end(entry, head.id, change.version, settings, tables)
    case (.settings(let settings), let head?): try tables.set(settings, of: head.id)
    case (.delete, let head?):
      try tables.record(deletionOf: head.id, head.version, date: options.date())
      try tables.delete(head.id)
      tables.heads?[entry.key] = nil
    // A change to nothing.
    case (.check, _), (_, nil): break
    }
  }

  private func end(
    _ entry: Entry, _ id: Int64, _ version: VersionToken, _ settings: StoredSettings?,
    _ tables: StoreTables
  ) throws {
    if let settings { try tables.set(settings, of: id) }
    tables.heads?[entry.key] = HeadCache.Head(id: id, version: version)
  }
}
