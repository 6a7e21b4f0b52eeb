import VersionedCollections

/// The statements that read, on one connection.
struct PostgresTables {
  let connection: PostgresConnection
  let options: PostgresOptions
  /// The longest time that a statement may take, in seconds.
  let statementSeconds: Int

  /// Executes a statement, which the database cancels if it takes too long.
  ///
  /// The time is set for the transaction only, because a pooler may be between; so is whether the
  /// database refuses to write.
  @discardableResult
  func run(
    _ sql: String, _ values: [PostgresValue] = []
  ) throws(PostgresFailure) -> PostgresRows {
    if connection.isInTransaction { return try connection.run(sql, values) }
    return try connection.run([timeout, PostgresStatement(sql: sql, values: values)])
  }

  var timeout: PostgresStatement {
    let readOnly = options.isReadOnly ? ", set_config('transaction_read_only', 'on', true)" : ""
    return PostgresStatement(
      sql: "SELECT set_config('statement_timeout', $1, true)\(readOnly)",
      values: [.text("\(statementSeconds)s")])
  }

  /// Reads parts of a client's data, in one view if there are several.
  ///
  /// - Throws: `PostgresFailure` if a statement failed.
  func values(
    of parts: [StoredPart], _ client: ResourceName
  ) throws -> [Result<StoredValue, StoreError>] {
    try inOneView {
      var values: [Result<StoredValue, StoreError>] = []
      for part in parts {
        do {
          values.append(.success(try value(of: part, client, options.durable)))
        } catch {
          if let failure = error as? PostgresFailure { throw failure }
          values.append(.failure(StoreError(reading: error)))
        }
      }
      return values
    }
  }

  /// Reads what other transactions do not change meanwhile.
  func inOneView<T>(_ body: () throws -> T) throws -> T {
    try inTransaction("REPEATABLE READ READ ONLY") {
      _ = try connection.run($0)
      return try body()
    }
  }

  /// Executes statements in a transaction of an isolation level, after those that `body` is given to begin it.
  func inTransaction<T>(
    _ level: String, _ body: ([PostgresStatement]) throws -> T
  ) throws -> T {
    do {
      let result = try body([
        PostgresStatement(sql: "BEGIN ISOLATION LEVEL \(level)", values: []), timeout,
      ])
      try connection.run("COMMIT")
      return result
    } catch {
      if (error as? PostgresFailure)?.isLost != true { try connection.run("ROLLBACK") }
      throw error
    }
  }

  // MARK: Lists

  func summaries(of client: ResourceName) throws -> [CollectionSummary] {
    try summaries(of: [client])[client] ?? []
  }

  func summaries(of clients: [ResourceName]) throws -> [ResourceName: [CollectionSummary]] {
    // No name has a comma.
    let rows = try run(
      """
      SELECT client, name, version, items, revision, bytes,
        CASE WHEN substring(settings FROM 1 FOR $3::bigint::int) = $2
          THEN 1::bigint ELSE 0::bigint END, secret
      FROM livedelta.collection WHERE client = ANY (string_to_array($1, ','))
      """,
      [
        .text(clients.map(\.text).joined(separator: ",")), .bytes(CollectionSettings.publicPrefix),
        .number(CollectionSettings.publicPrefix.count),
      ])
    var found: [ResourceName: [CollectionSummary]] = [:]
    for row in 0..<rows.count {
      guard let key = try rows.key(row, 0) else {
        options.faults(Fault(.collectionDamaged, "a collection has a damaged name"))
        continue
      }
      let version = VersionToken(try rows.text(row, 2))
      found[key.client, default: []].append(
        CollectionSummary(
          name: key.name,
          version: version ?? VersionToken(lineage: "damaged", seq: 1, digest: "unreadable------"),
          itemCount: try rows.number(row, 3), contentByteCount: try rows.optionalNumber(row, 5),
          damage: version == nil ? "the version is none" : nil,
          revision: try rows.number(row, 4), isPublic: try rows.number(row, 6) == 1,
          secret: rows.optionalBytes(row, 7).flatMap { Lineage.Secret($0) }))
    }
    return found
  }

  func records(
    of client: ResourceName, _ collection: String, since date: Int64, countMax: Int
  ) throws -> [[UInt8]] {
    let rows = try run(
      """
      SELECT data FROM livedelta.request WHERE client = $1 AND collection = $2
        AND date >= $3::bigint ORDER BY number DESC LIMIT $4::bigint
      """, [.text(client.text), .text(collection), .number(Int(date)), .number(countMax)])
    return try (0..<rows.count).reversed().map { try rows.bytes($0, 0) }
  }

  func recordOwners(after owner: RecordOwner?, countMax: Int) throws -> [RecordOwner] {
    let rows = try run(
      """
      SELECT DISTINCT client, collection FROM livedelta.request WHERE (client, collection) > ($1, $2)
      ORDER BY client, collection LIMIT $3::bigint
      """,
      [.text(owner?.client ?? ""), .text(owner?.collection ?? ""), .number(countMax)])
    return try (0..<rows.count).map {
      RecordOwner(client: try rows.text($0, 0), collection: try rows.text($0, 1))
    }
  }

  /// Lists clients that have collections, skipping damaged names.
  func clients(in range: NameRange, after name: ResourceName?, limit: Int) throws -> [ClientSummary]
  {
    var found: [ClientSummary] = []
    var after = name?.text ?? ""
    while true {
      let wanted = limit - found.count
      let rows = try run(
        """
        SELECT client, count(*) FROM livedelta.collection
        WHERE client > $1 AND client BETWEEN $2 AND $3
        GROUP BY client ORDER BY client LIMIT $4::bigint
        """, [.text(after), .text(range.first), .text(range.last), .number(wanted)])
      for row in 0..<rows.count {
        after = try rows.text(row, 0)
        guard let name = ResourceName(after) else {
          options.faults(Fault(.collectionDamaged, "a client has a damaged name"))
          continue
        }
        found.append(ClientSummary(name: name, collectionCount: try rows.number(row, 1)))
      }
      if found.count == limit || rows.count < wanted { return found }
    }
  }

  // MARK: Cleaning

  /// Clears away old idempotency records.
  func clean() throws(PostgresFailure) {
    try run(
      "DELETE FROM livedelta.request WHERE date < $1::bigint",
      [.number(Int(options.durable.oldestRequestDate))])
  }
}
