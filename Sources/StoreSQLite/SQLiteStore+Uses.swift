import GRDB
public import VersionedCollections

extension SQLiteStore {
  /// The most uses recorded between two groups of writes, about a millisecond's work.
  private static let usesPerJob = 128

  /// Records uses in small pieces between groups of writes.
  public func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) {
    record(uses[...], date, completion)
  }

  private func record(
    _ uses: ArraySlice<CollectionKey>, _ date: Int64,
    _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    let piece = uses.prefix(Self.usesPerJob)
    if piece.isEmpty { return completion(true) }
    let faults = options.faults
    writer.submit(
      GroupWriter.Job(
        work: { tables in
          for key in piece { try tables.record(useOf: key, date: date) }
          return nil
        },
        completion: { [weak self] failure in
          if let failure {
            faults(Fault(.storeUnavailable, "uses were not recorded: \(failure.text)"))
          }
          guard failure == nil, let self else { return completion(false) }
          record(uses.dropFirst(piece.count), date, completion)
        }))
  }

  /// Scans the table of uses on a reader connection.
  public func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([UnusedCollection]) -> Void
  ) {
    let faults = options.faults
    pool.asyncRead { db in
      do {
        let (found, damaged) = try StoreTables(db: db.get()).unused(since: date, countMax: countMax)
        if damaged > 0 {
          faults(Fault(.collectionDamaged, "\(damaged) unused collections have damaged names"))
        }
        completion(found)
      } catch {
        let failure = StoreError(error)
        faults(Fault(.storeUnavailable, "unused collections were not found: \(failure.text)"))
        completion([])
      }
    }
  }
}

extension StoreTables {
  fileprivate func record(useOf key: CollectionKey, date: Int64) throws {
    try run(
      """
      INSERT INTO last_use (collection, date)
      SELECT id, ? FROM collection WHERE client = ? AND name = ?
      ON CONFLICT (collection) DO UPDATE SET date = max(date, excluded.date)
      """, [date, key.client.text, key.name.text])
  }

  /// - Returns: The collections, and the number of others that were passed over because their names
  ///   are damaged.
  /// - Complexity: O(*n*), where *n* is the number of all collections.
  fileprivate func unused(
    since date: Int64, countMax: Int
  ) throws -> (found: [UnusedCollection], damagedCount: Int) {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT client, name, date FROM collection LEFT JOIN last_use ON collection = id
          WHERE date IS NULL OR date <= ?
          """), arguments: [date])
    var found: [UnusedCollection] = []
    var damagedCount = 0
    while found.count < countMax, let row = try rows.next() {
      guard let owner = String.fromDatabaseValue(row[0]), let client = ResourceName(owner),
        let text = String.fromDatabaseValue(row[1]), let name = ResourceName(text)
      else {
        damagedCount += 1
        continue
      }
      found.append(
        UnusedCollection(
          key: CollectionKey(client: client, name: name),
          lastUse: try row.decode(Int64?.self, atIndex: 2)))
    }
    return (found, damagedCount)
  }
}
