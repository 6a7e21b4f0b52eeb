import VersionedCollections

/// What collections take and when they were used.
///
/// Dates of uses are by the clock of the database, because those of replicas may differ: the
/// service's dates are taken as ages.
extension PostgresTables {
  static let now = "extract(epoch FROM now())::bigint"

  private func age(_ date: Int64) -> PostgresValue { .number(Int(options.date() - date)) }

  func record(_ uses: [CollectionKey], date: Int64) throws(PostgresFailure) {
    // No name has a comma. In one order, so that replicas do not wait for each other in a circle.
    try run(
      """
      INSERT INTO livedelta.last_use (collection, date)
      SELECT id, \(Self.now) - $1::bigint FROM livedelta.collection JOIN
        unnest(string_to_array($2, ','), string_to_array($3, ',')) AS used (client, name)
        USING (client, name) ORDER BY id
      ON CONFLICT (collection) DO UPDATE SET date = greatest(last_use.date, excluded.date)
      """,
      [
        age(date), .text(uses.map(\.client.text).joined(separator: ",")),
        .text(uses.map(\.name.text).joined(separator: ",")),
      ])
  }

  /// - Complexity: O(*n*), where *n* is the number of all collections.
  func unused(since date: Int64, countMax: Int) throws -> [CollectionKey] {
    let rows = try run(
      """
      SELECT head.client, head.name FROM livedelta.collection AS head
        JOIN livedelta.last_use AS used ON used.collection = head.id
      WHERE used.date <= \(Self.now) - $1::bigint LIMIT $2::bigint
      """, [age(date), .number(countMax)])
    return try (0..<rows.count).compactMap { row in
      let key = try rows.key(row, 0)
      if key == nil {
        options.faults(Fault(.collectionDamaged, "a collection has a damaged name"))
      }
      return key
    }
  }

  func storedBytes(of client: ResourceName) throws -> [ResourceName: Int] {
    let rows = try run(
      """
      SELECT name,
        (coalesce((SELECT length(data) FROM livedelta.image WHERE collection = head.id), 0)
        + coalesce((SELECT sum(length(data)) FROM livedelta.change WHERE collection = head.id), 0)
        )::bigint
      FROM livedelta.collection AS head WHERE client = $1
      """, [.text(client.text)])
    var sizes: [ResourceName: Int] = [:]
    for row in 0..<rows.count {
      guard let name = ResourceName(try rows.text(row, 0)) else { continue }
      sizes[name] = try rows.number(row, 1)
    }
    return sizes
  }

  // MARK: Jobs

  /// Takes or keeps the turn to do a job; see `CollectionStore.turn`.
  func turn(
    _ job: String, holder: String, seconds: Int, position: String?, isNew: Bool
  ) throws -> JobTurn? {
    // A crash of the database may lose the last positions: then the job is done again from earlier.
    let rows = try connection.run([
      PostgresStatement(sql: "SELECT set_config('synchronous_commit', 'off', true)"), timeout,
      PostgresStatement(
        sql: """
          UPDATE livedelta.job SET holder = $2, position = coalesce($4::text, position),
            until = extract(epoch FROM clock_timestamp())::bigint + $3::bigint
          WHERE name = $1 AND (holder = $2
            OR $5::bigint = 1 AND until <= extract(epoch FROM clock_timestamp())::bigint)
          RETURNING position
          """,
        values: [
          .text(job), .text(holder), .number(seconds), position.map { .text($0) } ?? .null,
          .number(isNew ? 1 : 0),
        ]),
    ])
    guard rows.count > 0 else { return nil }
    return JobTurn(
      position: rows.optionalBytes(0, 0).map { String(decoding: $0, as: UTF8.self) })
  }

  // MARK: Compaction

  /// Renews images for a time, which clears away expired history; returns where to go on, nil at the end.
  ///
  /// The space is free for later writes once the database has vacuumed its tables.
  func compact(
    from next: Int, for duration: Duration, _ note: (CollectionKey, DamagedData) -> Void
  ) throws -> Int? {
    let end = ContinuousClock.now + duration
    var next = next
    while let (id, key) = try collectionWithChanges(from: next) {
      do {
        try renewImage(of: key, ifDue: false)
      } catch let damage as DamagedData {
        note(key, damage)
      }
      next = id + 1
      if ContinuousClock.now >= end { return next }
    }
    return nil
  }

  private func collectionWithChanges(from next: Int) throws -> (id: Int, key: CollectionKey)? {
    let rows = try run(
      """
      SELECT id, client, name FROM livedelta.collection AS head WHERE id >= $1::bigint
        AND EXISTS (SELECT FROM livedelta.change WHERE collection = head.id) ORDER BY id LIMIT 1
      """, [.number(next)])
    guard rows.count > 0 else { return nil }
    let id = try rows.number(0, 0)
    guard let key = try rows.key(0, 1) else {
      throw DamagedData("collection \(id) has a damaged name")
    }
    return (id, key)
  }

  func byteCount() throws -> Int {
    try run(
      """
      SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
      WHERE relnamespace = 'livedelta'::regnamespace AND relkind = 'r'
      """
    ).number(0, 0)
  }
}
