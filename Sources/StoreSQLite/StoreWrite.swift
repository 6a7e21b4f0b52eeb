import CollectionService
import GRDB

/// A transaction with its bytes made, ready to be written.
struct StoreWrite: Sendable {
  private enum Change: Sendable {
    case image([UInt8], VersionToken, itemCount: Int, StoredSettings?)
    case change([UInt8], VersionToken, itemCount: Int, StoredSettings?)
    case settings(StoredSettings)
    case delete
  }

  private struct Entry: Sendable {
    var name: ResourceName
    var expected: VersionToken?
    var change: Change
  }

  private let client: ResourceName
  private let entries: [Entry]
  private let request: (bytes: [UInt8], date: Int64, collection: String)?
  /// Gives a number to a collection that is new.
  private let newID: @Sendable () -> Int64

  init(_ transaction: StoreTransaction, newID: @escaping @Sendable () -> Int64) {
    client = transaction.client
    self.newID = newID
    entries = transaction.entries.map { entry in
      Entry(name: entry.name, expected: entry.expected, change: Self.encoded(entry.change))
    }
    request = transaction.idempotency.map {
      ($0.encoded, $0.date, $0.collection?.text ?? "")
    }
  }

  private static func encoded(_ change: StoreTransaction.Change) -> Change {
    switch change {
    case .put(let version):
      let count = version.contents.itemCount
      // An image where numbers begin anew in the lower half of a change's id: see `Schema`.
      if version.token.seq & 0xffff_ffff != 0, let bytes = version.encodedChange() {
        return .change(bytes, version.token, itemCount: count, version.settings)
      }
      return .image(version.encodedImage(), version.token, itemCount: count, version.settings)
    case .configure(let settings): return .settings(settings)
    case .delete: return .delete
    }
  }

  /// Writes all of it, or nothing.
  ///
  /// - Returns: `conflict` when a collection is not at the version expected; nothing is written.
  func run(_ tables: StoreTables, _ upkeep: Upkeep) throws -> StoreError? {
    var rows: [StoreTables.Collection?] = []
    for entry in entries {
      let row = try tables.collection(client.text, entry.name.text)
      let head = try row.flatMap { try tables.head($0)?.version }
      if row != nil, head == nil {
        throw DamagedData("collection \(entry.name.text) of \(client.text) has no version")
      }
      guard head == entry.expected else { return .conflict }
      rows.append(row)
    }
    for (entry, row) in zip(entries, rows) { try write(entry, row, tables, upkeep) }
    if let request {
      let (ledger, number) = try tables.put(
        request.bytes, date: request.date, client.text, request.collection)
      upkeep.note(ledger: ledger, number: number)
    }
    return nil
  }

  private func write(
    _ entry: Entry, _ row: StoreTables.Collection?, _ tables: StoreTables, _ upkeep: Upkeep
  ) throws {
    switch entry.change {
    case .image(let bytes, let version, let count, let settings):
      let id = row?.id ?? newID()
      // The upper half of a change's id is full; nobody has made as many collections yet.
      guard id <= Int64(Int32.max) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
      if row == nil {
        try tables.insert(id, client.text, entry.name.text, lineage: version.lineage)
      } else {
        try tables.deleteChanges(of: id, through: version.seq)
      }
      try tables.put(image: bytes, version, itemCount: count, of: id)
      if let settings { try tables.set(settings, of: id) }
    case .change(let bytes, let version, let count, let settings):
      guard let row else { return }
      try tables.put(change: bytes, version, itemCount: count, of: row.id)
      if let settings { try tables.set(settings, of: row.id) }
      upkeep.note(row.id, change: bytes.count)
    case .settings(let settings):
      if let row { try tables.set(settings, of: row.id) }
    case .delete:
      guard let row else { return }
      try tables.delete(row.id)
      upkeep.noteGarbage()
    }
  }
}
