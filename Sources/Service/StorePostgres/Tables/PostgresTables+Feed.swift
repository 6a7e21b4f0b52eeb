import VersionedCollections

/// The feed of changes, in the order of a sequence.
///
/// A number is taken before its transaction commits, so that a reader could see a number before a
/// lower one. It reads only those that are settled, which rests on the writers to the feed alone:
/// no other transaction holds it up, be it of another database, a prepared one or a long reader.
///
/// A writer, that is the trigger `note_change`, once a transaction and before its first number, reads
/// the last number of the sequence, L, and locks its low 32 bits: a shared advisory lock, for which
/// nobody ever waits, and which PostgreSQL releases when the transaction is over and can be seen. A
/// reader first reads the last number, h; then the locks that are held; then, in a later view, the
/// rows up to the least of h and each L. A number n of them whose transaction cannot be seen in that
/// view would have to be
/// * taken after h was read: then n > h, since the sequence ascends; or
/// * taken before. Then its writer had the lock before h was read, and has it still, as it is not
///   over: the reader has seen the lock, and n > L, because L was read before n was taken.
///
/// Neither is read. That takes a view of its own for each statement (READ COMMITTED), and a lock in
/// any transaction that was under way when the trigger was replaced: step 3 of the schema waits for
/// those. L may be a little greater than h, which is why 32 bits are extended to the nearest number.
///
/// A position is that of a change that could be seen: its number and 16 bits of what it says. So it
/// is on disk, and a crash cannot give its number to another change. It is known if the store has
/// that row: else the row was removed, or the store is a restored one, which may have grown since.
extension PostgresTables {
  private static let checkBits: UInt64 = 16

  /// The last number, then the greatest number up to which all are settled, for the transaction.
  private static let settling = [
    """
    SELECT set_config('livedelta.last',
      coalesce(pg_sequence_last_value('livedelta.feed_number_seq'), 0)::text, true)
    """,
    """
    SELECT set_config('livedelta.settled', least(last, min(last
      + ((objid::bigint - last) & 4294967295 # 2147483648) - 2147483648))::text, true)
    FROM (SELECT current_setting('livedelta.last')::bigint AS last) AS sequence LEFT JOIN pg_locks
      ON locktype = 'advisory' AND classid = \(PostgresSchema.feedLock) AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    GROUP BY last
    """,
  ].map { PostgresStatement(sql: $0) }

  private static let settled = "current_setting('livedelta.settled')::bigint"

  /// Executes a statement that may use what is settled.
  private func afterSettling(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresRows {
    try inTransaction("READ COMMITTED") { begin in
      try connection.run(begin + Self.settling + [PostgresStatement(sql: sql, values: values)])
    }
  }

  // MARK: Reading

  /// Reads the changes after a position; none if it is nil or not known.
  func feed(after position: UInt64?, countMax: Int) throws -> StoredFeed {
    let number = Int(clamping: (position ?? 0) >> Self.checkBits)
    let rows = try afterSettling(
      """
      SELECT concat_ws(':', 'number', left(pg_walfile_name(pg_current_wal_lsn()), 8),
          'livedelta.feed'::regclass::oid,
          (SELECT oid FROM pg_database WHERE datname = current_database()),
          (SELECT xmin::text FROM livedelta.migration ORDER BY number LIMIT 1)),
        found.number, found.client, found.name, found.version, found.deleted, found.date,
        found.xid::text, found.part, found.secret,
        CASE WHEN substring(head.settings FROM 1 FOR $4::bigint::int) = $3
          AND split_part(head.version, '.', 1) = split_part(found.version, '.', 1)
          THEN head.settings END
      FROM (SELECT) AS one LEFT JOIN (
        (SELECT 1::bigint AS part, * FROM livedelta.feed WHERE $1::bigint > 0
          AND number >= $1::bigint AND number <= greatest($1::bigint, \(Self.settled))
          ORDER BY number LIMIT $2::bigint)
        UNION ALL (SELECT 2::bigint, * FROM livedelta.feed WHERE number <= \(Self.settled)
          ORDER BY number DESC LIMIT 1)) AS found ON true
      LEFT JOIN livedelta.collection AS head ON head.client = found.client
        AND head.name = found.name
      ORDER BY found.part, found.number
      """,
      [
        .number(number), .number(countMax + 1), .bytes(CollectionSettings.publicPrefix),
        .number(CollectionSettings.publicPrefix.count),
      ])
    var feed = StoredFeed(
      epoch: Self.epoch(try rows.text(0, 0)), isKnown: false, end: 0, changes: [], hasMore: false)
    // The last row is the newest that is settled; the first is where the reader is, if it is known.
    let count = try (0..<rows.count).prefix { try rows.optionalNumber($0, 8) == 1 }.count
    if try rows.optionalNumber(rows.count - 1, 1) != nil {
      feed.end = try self.position(rows, rows.count - 1)
    }
    guard let position, count > 0, try self.position(rows, 0) == position else { return feed }
    feed.isKnown = true
    feed.hasMore = count == countMax + 1
    feed.end = try self.position(rows, count - 1)
    for row in 1..<count {
      if let change = try change(rows, row) {
        feed.changes.append((try self.position(rows, row), change))
      }
    }
    return feed
  }

  private func position(_ rows: PostgresRows, _ row: Int) throws -> UInt64 {
    guard let number = UInt64(exactly: try rows.number(row, 1)), number < 1 << 47 else {
      throw DamagedData("no number of a change")
    }
    var check: UInt64 = 0xcbf2_9ce4_8422_2325
    for column in 2...7 {
      for byte in try rows.bytes(row, column) + [0] { check = Self.hash(check, byte) }
    }
    return number << Self.checkBits | check >> (64 - Self.checkBits)
  }

  /// The change of a row; nil if it stands for none.
  private func change(_ rows: PostgresRows, _ row: Int) throws -> CollectionChange? {
    guard let key = try rows.key(row, 2), let version = VersionToken(try rows.text(row, 4)) else {
      return nil
    }
    return CollectionChange(
      key: key, version: version,
      secret: rows.optionalBytes(row, 9).flatMap { Lineage.Secret($0) },
      isDeleted: try rows.number(row, 5) == 1,
      isPublic: rows.optionalBytes(row, 10).map {
        CollectionSettings.publish(version, stored: $0)
      } ?? false)
  }

  /// Eight letters and digits that identify the order of the numbers: the timeline, which changes when a
  /// standby is promoted, the table, and the transaction that created or restored the tables.
  private static func epoch(_ identity: String) -> String {
    let hash = identity.utf8.reduce(0xcbf2_9ce4_8422_2325, hash) % 2_821_109_907_456
    let text = String(hash, radix: 36)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }

  /// FNV-1a.
  private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// How late the feed is, and how long; by the clock of the database.
  func feedState() throws -> FeedState {
    let rows = try afterSettling(
      """
      SELECT coalesce(now - (SELECT date FROM livedelta.feed WHERE number > \(Self.settled)
          ORDER BY number LIMIT 1), 0),
        coalesce(now - (SELECT date FROM livedelta.feed WHERE number > job.first
          ORDER BY number LIMIT 1), 0),
        current_setting('livedelta.last')::bigint - job.first
      FROM (SELECT extract(epoch FROM clock_timestamp())::bigint AS now) AS clock,
        (SELECT position::bigint AS first FROM livedelta.job WHERE name = 'feed') AS job
      """)
    guard rows.count > 0 else { throw DamagedData("the job of cleaning the feed is missing") }
    return FeedState(
      unsettledSeconds: max(0, try rows.number(0, 0)), oldestSeconds: max(0, try rows.number(0, 1)),
      rows: max(0, try rows.number(0, 2)))
  }

  // MARK: Cleaning

  /// Removes some of the changes that are older than a week, oldest first, but for the last that is
  /// settled; none while another replica does.
  ///
  /// It goes on where the last piece ended, whoever removed it: the index has all removed rows until
  /// they are vacuumed.
  ///
  /// - Returns: Whether there may be more.
  func cleanFeed() throws -> Bool {
    let rows = try afterSettling(
      """
      WITH job AS MATERIALIZED (
        SELECT position::bigint AS first FROM livedelta.job WHERE name = 'feed'
        FOR UPDATE SKIP LOCKED),
      piece AS MATERIALIZED (
        SELECT number, date FROM livedelta.feed WHERE number > (SELECT first FROM job)
          AND number < (SELECT number FROM livedelta.feed WHERE number <= \(Self.settled)
            ORDER BY number DESC LIMIT 1)
        ORDER BY number LIMIT $2::bigint),
      bound AS MATERIALIZED (
        SELECT coalesce(
          (SELECT min(number) - 1 FROM piece
            WHERE date >= extract(epoch FROM now())::bigint - $1::bigint),
          (SELECT max(number) FROM piece)) AS number),
      gone AS (
        DELETE FROM livedelta.feed WHERE number > (SELECT first FROM job)
          AND number <= (SELECT number FROM bound) RETURNING 1),
      moved AS (
        UPDATE livedelta.job SET position = bound.number FROM bound, job AS before
        WHERE name = 'feed' AND bound.number > before.first)
      SELECT count(*) FROM gone
      """, [.number(Self.feedSeconds), .number(Self.pieceMax)])
    return try rows.number(0, 0) == Self.pieceMax
  }

  private static let pieceMax = 10_000

  /// How long changes are kept, in seconds.
  private static let feedSeconds = 7 * 86_400
}
