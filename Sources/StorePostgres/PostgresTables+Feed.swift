import CollectionService

/// The feed of changes, in the order of transaction ids.
///
/// A transaction gets its id before it commits, so that a reader could see a higher id before a lower
/// one. Only transactions before the oldest one under way are read: none of those is committed later.
/// In `ORDER BY` the column is `feed.xid`: `xid` alone would be the text that is selected, in which
/// 1000 comes before 999. A number is a transaction's id and the index of a change in it.
extension PostgresTables {
  /// The number of changes of one transaction that can be told apart.
  private static let perTransaction: UInt64 = 1 << 16

  func feed(after number: UInt64?, countMax: Int) throws -> StoredFeed {
    try inOneView {
      let head = try run(
        """
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text,
          (SELECT xid::text FROM livedelta.feed ORDER BY feed.xid LIMIT 1), concat_ws(':',
            left(pg_walfile_name(pg_current_wal_lsn()), 8), 'livedelta.feed'::regclass::oid,
            (SELECT oid FROM pg_database WHERE datname = current_database()),
            (SELECT xmin::text FROM livedelta.migration ORDER BY number LIMIT 1))
        """)
      let horizon = try identifier(head, 0) ?? 0
      var feed = StoredFeed(
        epoch: Self.epoch(try head.text(0, 2)),
        start: (try identifier(head, 1) ?? horizon) * Self.perTransaction - 1,
        end: horizon * Self.perTransaction - 1, changes: [], hasMore: false)
      if let number { try addChanges(after: number, countMax, to: &feed) }
      return feed
    }
  }

  private func identifier(_ rows: PostgresRows, _ column: Int) throws -> UInt64? {
    guard rows.optionalBytes(0, column) != nil else { return nil }
    guard let number = UInt64(try rows.text(0, column)), 1...(UInt64.max >> 16) ~= number else {
      throw DamagedData("no transaction id")
    }
    return number
  }

  private func addChanges(
    after number: UInt64, _ countMax: Int, to feed: inout StoredFeed
  ) throws {
    let next = number == .max ? number : number + 1
    let known = Int(next % Self.perTransaction)
    let rows = try run(
      """
      SELECT xid::text, row_number() OVER (PARTITION BY xid ORDER BY number), client, name,
        version, deleted
      FROM livedelta.feed WHERE xid >= $1::text::xid8
        AND xid < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY feed.xid, number LIMIT $2::bigint
      """, [.text("\(next / Self.perTransaction)"), .number(countMax + known)])
    var last = number
    for row in 0..<rows.count {
      let index = min(UInt64(try rows.number(row, 1)), Self.perTransaction) - 1
      let id = (UInt64(try rows.text(row, 0)) ?? 0) * Self.perTransaction + index
      guard id > number else { continue }
      last = id
      guard let client = ResourceName(try rows.text(row, 2)),
        let name = ResourceName(try rows.text(row, 3)),
        let version = VersionToken(try rows.text(row, 4))
      else { continue }
      let change = CollectionChange(
        key: CollectionKey(client: client, name: name), version: version,
        isDeleted: try rows.number(row, 5) == 1)
      feed.changes.append((id, change))
    }
    feed.hasMore = rows.count == countMax + known
    if feed.hasMore { feed.end = last }
  }

  /// Eight letters and digits that identify the order of transaction ids: the timeline, which changes
  /// when a standby is promoted, the table, and the transaction that created or restored the tables.
  private static func epoch(_ identity: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in identity.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let text = String(hash % 2_821_109_907_456, radix: 36)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }

  /// Removes changes that are older than a week, but for the last of them and those that nobody has
  /// had because of an open transaction, and those of another database that this one is a copy of.
  func cleanFeed() throws(PostgresFailure) {
    try run(
      """
      DELETE FROM livedelta.feed WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())
        OR xid < pg_snapshot_xmin(pg_current_snapshot()) AND xid < (
          SELECT xid FROM livedelta.feed
          WHERE date < extract(epoch FROM now())::bigint - $1::bigint ORDER BY number DESC LIMIT 1)
      """, [.number(Self.feedSeconds)])
    try run(
      """
      INSERT INTO livedelta.feed (xid, client, name, version, deleted)
      SELECT pg_snapshot_xmin(pg_current_snapshot()), '', '', '', 0 WHERE NOT EXISTS (SELECT FROM livedelta.feed)
      """)
  }

  /// How long changes are kept, in seconds.
  private static let feedSeconds = 7 * 86_400
}
