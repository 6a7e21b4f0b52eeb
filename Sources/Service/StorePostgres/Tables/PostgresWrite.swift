import VersionedCollections

/// The statements of a transaction.
///
/// Each statement fails if the state is not the expected one, so that a transaction needs no answer
/// before it is over: a head row that is missing, or should be, with an error that nothing else
/// raises (`demand`; or a change or an image of no collection, which PostgreSQL plans in a tenth of the
/// time of a write less); a head or a key that exists already as a second value of its unique key.
/// `StoreError` takes these for a conflict, and nothing else.
struct PostgresWrite {
  /// An expression that is 1, or fails with `PostgresFailure.conflictState` if a count is not
  /// positive.
  ///
  /// Operators and casts cannot fail with a state that a defect would not have as well, and a
  /// function of our own would need a migration that earlier replicas do not have.
  private static func demand(_ count: String) -> String {
    "width_bucket(0, 0, 1, (\(count))::integer)"
  }

  private let owner: ResourceName
  private let client: PostgresValue
  private let options: PostgresOptions
  private(set) var statements: [PostgresStatement] = []
  /// Whether an idempotency record is among what it writes.
  private(set) var hasRecord = false
  /// The changes since images in it, with their sizes in bytes.
  private(set) var changes: [(key: CollectionKey, seq: Int, byteCount: Int)] = []

  /// Encodes a transaction.
  ///
  /// Heads are written in the order of their names, so that transactions seldom wait for each other
  /// in a circle.
  init(_ transaction: StoreTransaction, _ options: PostgresOptions) {
    owner = transaction.client
    client = .text(owner.text)
    self.options = options
    for entry in transaction.entries.sorted(by: { $0.name < $1.name }) { add(entry) }
    if let record = transaction.idempotency { add(record) }
    if let key = transaction.absentKey {
      add(
        """
        SELECT \(Self.demand("1 - count(*)")) FROM livedelta.request
        WHERE client = $1 AND collection = $2 AND key = $3 AND date >= $4::bigint
        """,
        [client, .text(key.collection?.text ?? ""), .text(key.text), .number(oldest)])
    }
  }

  /// The first statement of each transaction: settings that last until its end, which a pooler
  /// between the service and the database cannot give to others.
  ///
  /// The numbers of a collection's idempotency records are read from their index, in order, not from
  /// the rows; all else goes by keys.
  static func preamble(
    _ options: PostgresOptions, for writes: [PostgresWrite]
  ) -> PostgresStatement {
    let order =
      writes.contains(where: \.hasRecord) ? ", set_config('enable_bitmapscan', 'off', true)" : ""
    return PostgresStatement(
      sql: """
        SELECT set_config('synchronous_commit', $1, true),
          set_config('statement_timeout', $2, true)\(order)
        """,
      values: [
        .text(options.isSynchronous ? "on" : "off"),
        .text("\(options.database.statementSeconds * 1000)"),
      ])
  }

  private var oldest: Int { Int(options.durable.oldestRequestDate) }

  private mutating func add(_ sql: String, _ values: [PostgresValue]) {
    statements.append(PostgresStatement(sql: sql, values: values))
  }

  private mutating func add(_ entry: StoreTransaction.Entry) {
    let name = PostgresValue.text(entry.name.text)
    switch (entry.change, entry.expected) {
    case (.put(let version), nil): create(Head(version), version.encodedImage(), name)
    case (.put(let version), let expected?):
      let change = version.encodedChange()
      if let change {
        let key = CollectionKey(client: owner, name: entry.name)
        changes.append((key, version.token.seq, change.count))
      }
      update(
        Head(version), isChange: change != nil, change ?? version.encodedImage(), expected, entry)
    case (.restore(let history), _):
      let stored = history.collection
      create(Head(stored), stored.image(), name, oldest: stored.oldestWithContents)
      for change in history.changes { add(change, name) }
    case (.configure(let settings), let expected?):
      let revision = entry.expectedRevision ?? 0
      add(
        """
        WITH head AS (
          UPDATE livedelta.collection SET revision = $5::bigint, settings = $6, forced = $7
          WHERE client = $1 AND name = $2 AND version = $3 AND revision = $4::bigint RETURNING id)
        SELECT \(Self.demand("count(*)")) FROM head
        """,
        [
          client, name, .text(expected.description), .number(revision), .number(revision + 1),
          PostgresValue(settings.settings), PostgresValue(settings.overrides),
        ])
    case (.delete, let expected?): delete(name, expected)
    case (.check, let expected?):
      add(
        """
        SELECT \(Self.demand("count(*)")) FROM (
          SELECT FROM livedelta.collection WHERE client = $1 AND name = $2 AND version = $3
            AND revision = coalesce($4::bigint, revision) FOR SHARE) AS held
        """,
        [
          client, name, .text(expected.description),
          entry.expectedRevision.map { .number($0) } ?? .null,
        ])
    case (.check, nil):
      add(
        """
        SELECT \(Self.demand("1 - count(*)")) FROM livedelta.collection
        WHERE client = $1 AND name = $2
        """, [client, name])
    // A change to nothing.
    case (.configure, nil), (.delete, nil): add("SELECT \(Self.demand("0"))", [])
    }
  }

  /// What the row of a collection says about its newest version.
  private struct Head {
    var version: VersionToken
    var lineage: Lineage
    var itemCount: Int
    var byteCount: Int
    var date: Int64
    /// nil if they do not change.
    var settings: StoredSettings?

    init(_ version: StoredVersion) {
      (self.version, lineage) = (version.token, version.lineage)
      (date, settings) = (version.date, version.settings)
      (itemCount, byteCount) = (version.contents.itemCount, version.contents.contentByteCount)
    }

    init(_ stored: StoredCollection) {
      (version, lineage) = (stored.version, stored.lineage)
      (date, settings) = (stored.date, stored.storedSettings)
      (itemCount, byteCount) = (stored.itemCount, stored.contentByteCount)
    }
  }

  /// Adds a change that leads to the version of an image that was just written, or to one before.
  private mutating func add(_ change: StoredHistory.Change, _ name: PostgresValue) {
    add(
      """
      INSERT INTO livedelta.change (collection, seq, data) VALUES (
        (SELECT id FROM livedelta.collection WHERE client = $1 AND name = $2), $3::bigint, $4)
      """, [client, name, .number(change.version.seq), .bytes(change.bytes)])
  }

  /// Creates a head with an image, which has the contents of version `oldest` too.
  private mutating func create(
    _ head: Head, _ image: [UInt8], _ name: PostgresValue, oldest: Int? = nil
  ) {
    add(
      """
      WITH head AS (
        INSERT INTO livedelta.collection
          (client, name, version, revision, items, date, settings, forced, bytes, secret)
        VALUES ($1, $2, $3, 1, $4::bigint, $5::bigint, $6, $7, $10::bigint, $12) RETURNING id)
      INSERT INTO livedelta.image (collection, seq, oldest, data)
      SELECT id, $8::bigint, $11::bigint, $9 FROM head
      """,
      [
        client, name, .text(head.version.description), .number(head.itemCount),
        .number(Int(head.date)), PostgresValue(head.settings?.settings),
        PostgresValue(head.settings?.overrides), .number(head.version.seq), .bytes(image),
        .number(head.byteCount), .number(oldest ?? head.version.seq),
        .bytes(head.lineage.secret.bytes),
      ])
  }

  /// Updates a head; `data` is the change that leads to it if it is one, else an image.
  private mutating func update(
    _ next: Head, isChange: Bool, _ data: [UInt8], _ expected: VersionToken,
    _ entry: StoreTransaction.Entry
  ) {
    let head = """
      WITH head AS (
        UPDATE livedelta.collection
        SET version = $4, revision = $6::bigint, items = $7::bigint, date = $8::bigint,
          settings = CASE WHEN $11::bigint = 1 THEN $12 ELSE settings END,
          forced = CASE WHEN $11::bigint = 1 THEN $13 ELSE forced END, bytes = $14::bigint
        WHERE client = $1 AND name = $2 AND version = $3 AND revision = $5::bigint RETURNING id)
      """
    let id = "(SELECT id FROM head)"
    let sql =
      isChange
      ? """
      \(head)
      INSERT INTO livedelta.change (collection, seq, data) VALUES (\(id), $9::bigint, $10)
      """
      : """
      \(head), old AS (
        DELETE FROM livedelta.change WHERE collection = (SELECT id FROM head))
      INSERT INTO livedelta.image (collection, seq, oldest, data)
      VALUES (\(id), $9::bigint, $9::bigint, $10)
      ON CONFLICT (collection) DO UPDATE SET seq = excluded.seq, oldest = excluded.oldest,
        data = excluded.data, revision = image.revision + 1
      """
    let revision = entry.expectedRevision ?? 0
    add(
      sql,
      [
        client, .text(entry.name.text), .text(expected.description),
        .text(next.version.description), .number(revision), .number(revision + 1),
        .number(next.itemCount), .number(Int(next.date)), .number(next.version.seq), .bytes(data),
        .number(next.settings == nil ? 0 : 1), PostgresValue(next.settings?.settings),
        PostgresValue(next.settings?.overrides), .number(next.byteCount),
      ])
  }

  private mutating func delete(_ name: PostgresValue, _ expected: VersionToken) {
    add(
      """
      WITH gone AS (
        DELETE FROM livedelta.collection
        WHERE client = $1 AND name = $2 AND version = $3 RETURNING id),
      uses AS (DELETE FROM livedelta.last_use WHERE collection = (SELECT id FROM gone)),
      images AS (DELETE FROM livedelta.image WHERE collection = (SELECT id FROM gone)),
      changes AS (DELETE FROM livedelta.change WHERE collection = (SELECT id FROM gone))
      SELECT \(Self.demand("count(*)")) FROM gone
      """, [client, name, .text(expected.description)])
  }

  /// The most surplus records that are removed at a time.
  private static let surplusMax = 100

  /// Adds an idempotency record and removes the oldest in excess of the limit; one with its key must
  /// not exist, unless it is old.
  ///
  /// A record that another transaction removes is left to that: transactions would wait for each
  /// other in circles. While several add records at once there may be as many more, until the next.
  private mutating func add(_ record: IdempotencyRecord) {
    hasRecord = true
    let ledger = PostgresValue.text(record.collection?.text ?? "")
    // The oldest of as many as may be kept.
    let last = """
      (SELECT number FROM livedelta.request WHERE client = $1 AND collection = $2
      ORDER BY number DESC OFFSET $4::bigint LIMIT 1)
      """
    add(
      """
      DELETE FROM livedelta.request WHERE client = $1 AND collection = $2 AND key = $3
        AND (date < $5::bigint OR number < \(last))
      """,
      [
        client, ledger, .text(record.key.text), .number(options.requestsMax - 1), .number(oldest),
      ])
    add(
      """
      WITH surplus AS (
        DELETE FROM livedelta.request WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM livedelta.request WHERE client = $1 AND collection = $2 AND key <> $3
            AND number <= \(last)
          ORDER BY number LIMIT \(Self.surplusMax) FOR UPDATE SKIP LOCKED)))
      INSERT INTO livedelta.request (client, collection, key, date, data)
      VALUES ($1, $2, $3, $5::bigint, $6)
      """,
      [
        client, ledger, .text(record.key.text), .number(options.requestsMax - 1),
        .number(Int(record.date)), .bytes(record.encoded),
      ])
  }
}
