import GRDB

/// The tables, as numbered migrations from any earlier release.
///
/// A released migration is never changed; the file's `user_version` is the number of migrations
/// applied. Each one runs in its own transaction, so a file is always at a defined version.
enum Schema {
  static let steps: [String] = [
    // 1: Collections. An image is a complete version of a collection, followed by one change for
    // each later version. The upper half of a change's id is that of the collection, the lower half
    // the version's number, so a collection's changes are adjacent. Garbage contains deleted
    // collections that have not been cleared away.
    """
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY, client TEXT NOT NULL, name TEXT NOT NULL, lineage TEXT NOT NULL,
      settings BLOB, forced BLOB, UNIQUE (client, name));
    CREATE TABLE image (
      collection INTEGER PRIMARY KEY, seq INTEGER NOT NULL, digest TEXT NOT NULL,
      items INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE change (
      id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, digest TEXT NOT NULL,
      items INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE garbage (collection INTEGER PRIMARY KEY);
    """,
    // 2: Idempotency records, by ledger: one per collection, also after its deletion, and one per
    // client for batches, with an empty collection.
    """
    CREATE TABLE ledger (
      id INTEGER PRIMARY KEY, client TEXT NOT NULL, collection TEXT NOT NULL,
      UNIQUE (client, collection));
    CREATE TABLE request (
      ledger INTEGER NOT NULL, number INTEGER NOT NULL, date INTEGER NOT NULL,
      data BLOB NOT NULL, PRIMARY KEY (ledger, number)) WITHOUT ROWID;
    """,
    // 3: A row that is written to test whether writing works.
    "CREATE TABLE probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);",
    // 4: A large image or change is stored as a set of parts, and the data in its row is empty. The
    // upper bits of a part's id are the set's number, the lower 20 its index. Unused parts are sets
    // that no row refers to, not yet or no longer. A revision counts how often an image was
    // written. Garbage may also contain existing collections, with changes that their image
    // includes.
    """
    CREATE TABLE part (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
    CREATE TABLE unused_parts (part_set INTEGER PRIMARY KEY);
    ALTER TABLE image ADD COLUMN part_set INTEGER;
    ALTER TABLE image ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE change ADD COLUMN part_set INTEGER;
    CREATE INDEX image_part_set ON image (part_set) WHERE part_set IS NOT NULL;
    CREATE INDEX change_part_set ON change (part_set) WHERE part_set IS NOT NULL;
    """,
    // 5: An image may contain the contents of an older version; the changes after that version,
    // those above `oldest`, are kept. If it is null, the image contains no older version.
    """
    ALTER TABLE image ADD COLUMN oldest INTEGER;
    """,
    // 6: Recently deleted collections, for the feed of changes.
    """
    CREATE TABLE deletion (
      number INTEGER PRIMARY KEY, client TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
      date INTEGER NOT NULL);
    """,
    // 7: When collections were last used, in seconds since 1970; empty unless unused collections
    // are removed.
    """
    CREATE TABLE last_use (collection INTEGER PRIMARY KEY, date INTEGER NOT NULL);
    """,
    // 8: The bytes of the contents of collections, which step 9 removes.
    "CREATE TABLE size (collection INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);",
    "DROP TABLE size;",
    // 10: The secrets of lineages.
    """
    ALTER TABLE collection ADD COLUMN secret BLOB NOT NULL DEFAULT x'';
    UPDATE collection SET secret = randomblob(16);
    ALTER TABLE deletion ADD COLUMN secret BLOB NOT NULL DEFAULT x'';
    """,
  ]

  /// Applies the migrations that a file needs, outside of a transaction; the path is for errors.
  static func migrate(_ db: Database, upTo last: Int = steps.count, path: String) throws {
    assert(steps.count == StoreHeader.formatMax, "the header has another number of migrations")
    let version = try check(db, path: path)
    guard version < last else { return }
    if version == 0 { try db.execute(sql: "PRAGMA application_id = \(StoreHeader.applicationID)") }
    for step in version..<last {
      try db.inTransaction(.immediate) {
        try db.execute(sql: steps[step])
        try db.execute(sql: "PRAGMA user_version = \(step + 1)")
        return .commit
      }
    }
  }

  /// Checks that a file is a store, and not one of a later release.
  ///
  /// - Returns: The number of migrations applied.
  @discardableResult
  static func check(_ db: Database, path: String) throws -> Int {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    guard StoreHeader.isOurs(id) || isEmpty else {
      throw StoreOpenError(
        .damaged, "\(path) is a database of another program: choose another directory with --data")
    }
    guard version <= steps.count else {
      throw StoreOpenError.later(path, version: version, known: steps.count)
    }
    guard try version == 0 || tables(db) == tables(afterStep: version) else {
      throw StoreOpenError(
        .damaged,
        "\(path): its tables are not those that were made: livedelta restore BACK-UP --data DIRECTORY"
      )
    }
    return version
  }

  /// Checks that a file is a store of this release, which can be read as it is.
  static func checkIsCurrent(_ db: Database, path: String) throws {
    guard try check(db, path: path) < steps.count else { return }
    throw StoreOpenError(
      .older,
      "\(path) was written by an earlier release, and is only read: have a service of this release "
        + "open it once")
  }

  /// The declarations of a file's tables and indices.
  private static func tables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')
        FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1
        """)
  }

  /// The declarations in a new file after a number of migrations.
  private static func tables(afterStep last: Int) throws -> [String] {
    try DatabaseQueue().writeWithoutTransaction { db in
      for step in steps.prefix(last) { try db.execute(sql: step) }
      return try tables(db)
    }
  }
}
