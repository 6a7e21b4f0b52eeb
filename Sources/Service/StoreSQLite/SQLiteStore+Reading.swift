import GRDB
public import VersionedCollections

/// Each read is one transaction on a connection for readers.
extension SQLiteStore {
  /// Reads all parts in one transaction.
  public func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    pool.asyncRead { [options] db in
      completion(
        parts.map { part in
          Self.result(db, options) { try $0.value(of: part, client, options.durable) }
        })
    }
  }

  /// Scans the index of the ledgers.
  public func recordOwners(
    after owner: RecordOwner?, countMax: Int, completion: @escaping StoreCompletion<[RecordOwner]>
  ) { read({ try $0.recordOwners(after: owner, countMax: countMax) }, completion) }

  /// Scans the index of names from the first match.
  public func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping StoreCompletion<[ClientSummary]>
  ) { read({ try $0.clients(in: range, after: name, limit: limit) }, completion) }

  /// Adds up the sizes of images and changes.
  public func storedBytes(
    of client: ResourceName, completion: @escaping StoreCompletion<[ResourceName: Int]>
  ) { read({ try $0.storedBytes(of: client) }, completion) }

  /// Scans all collections.
  public func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void
  ) {
    read({ try $0.changes(since: date, countMax: countMax) }) { [options] in
      completion(options.durable.value($0, or: "changes were not looked for") ?? nil)
    }
  }

  /// Scans the table of uses.
  public func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionKey]) -> Void
  ) {
    read({ try $0.unused(since: date, countMax: countMax) }) { [options] in
      completion(options.durable.value($0, or: "unused collections were not found") ?? [])
    }
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (StoreTables) throws -> T,
    _ completion: @escaping StoreCompletion<T>
  ) {
    pool.asyncRead { [options] db in completion(Self.result(db, options, body)) }
  }

  private static func result<T>(
    _ connection: Result<Database, any Error>, _ options: StoreOptions,
    _ body: (StoreTables) throws -> T
  ) -> Result<T, StoreError> {
    connection.mapError { StoreError($0) }.flatMap { db in
      Result { try body(StoreTables(db: db, faults: options.faults)) }
        .mapError { StoreError($0, on: db) }
    }
  }
}
