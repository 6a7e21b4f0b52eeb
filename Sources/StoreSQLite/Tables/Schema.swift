import GRDB

/// The tables, as numbered steps that lead from any earlier release to this one.
///
/// A step is never changed once it was released; the number of steps taken is the file's
/// `user_version`. Each is taken in a transaction of its own, so that a file is always at a step.
enum Schema {
  /// What tells our files from other databases: "LDLT".
  static let applicationID = 0x4c44_4c54

  /// The steps, in order.
  static let steps: [String] = [
    // 1: Collections. An image has all of a collection as of a version; changes lead on from
    // there, one a version. A change's id is the collection's in the upper half and the version's
    // number in the lower, so that a collection's changes stand side by side in one tree.
    // Garbage are the numbers of collections that are deleted and not yet cleared away.
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
    // 2: Requests that carried keys, by ledger: one a collection (also one that is gone), and one
    // a client for its batches, whose collection is empty.
    """
    CREATE TABLE ledger (
      id INTEGER PRIMARY KEY, client TEXT NOT NULL, collection TEXT NOT NULL,
      UNIQUE (client, collection));
    CREATE TABLE request (
      ledger INTEGER NOT NULL, number INTEGER NOT NULL, date INTEGER NOT NULL,
      data BLOB NOT NULL, PRIMARY KEY (ledger, number)) WITHOUT ROWID;
    """,
    // 3: What is written to see whether writing works.
    "CREATE TABLE probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);",
    // 4: The data of a large image or change are a set of parts; its row's own data are empty then.
    // A part's id is the set's number in the upper bits and the part's in the lower 20. Unused are
    // the sets that no row names: not yet, or not any more. A revision counts how often the image
    // was written. Garbage may also be what an image has, of a collection that is there.
    """
    CREATE TABLE part (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
    CREATE TABLE unused_parts (part_set INTEGER PRIMARY KEY);
    ALTER TABLE image ADD COLUMN part_set INTEGER;
    ALTER TABLE image ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE change ADD COLUMN part_set INTEGER;
    CREATE INDEX image_part_set ON image (part_set) WHERE part_set IS NOT NULL;
    CREATE INDEX change_part_set ON change (part_set) WHERE part_set IS NOT NULL;
    """,
    // 5: An image may have the contents of an older version, and the changes that led on from there
    // are kept: those above `oldest`. Without one an image has what its changes had.
    """
    ALTER TABLE image ADD COLUMN oldest INTEGER;
    """,
    // 6: The collections that were deleted last, for those who follow all changes.
    """
    CREATE TABLE deletion (
      number INTEGER PRIMARY KEY, client TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
      date INTEGER NOT NULL);
    """,
  ]

  /// Takes the steps that a file has not taken yet.
  ///
  /// - Parameters:
  ///   - db: The file, outside of a transaction.
  ///   - last: The number of the last step to take; for tests.
  ///   - path: The file's name, for errors.
  /// - Throws: `StoreOpenError` for a file of a later release, or of another program.
  static func migrate(_ db: Database, upTo last: Int = steps.count, path: String) throws {
    let version = try check(db, path: path)
    guard version < last else { return }
    if version == 0 { try db.execute(sql: "PRAGMA application_id = \(applicationID)") }
    for step in version..<last {
      try db.inTransaction(.immediate) {
        try db.execute(sql: steps[step])
        try db.execute(sql: "PRAGMA user_version = \(step + 1)")
        return .commit
      }
    }
  }

  /// Sees that a file is ours, and not of a later release.
  ///
  /// - Returns: The number of steps that it has taken.
  @discardableResult
  static func check(_ db: Database, path: String) throws -> Int {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    guard id == applicationID || isEmpty else {
      throw StoreOpenError(
        .damaged, "\(path) is a database of another program: choose another directory with --data")
    }
    guard version <= steps.count else {
      throw StoreOpenError(
        .newer,
        "\(path) was written by a later release (format \(version), this one knows "
          + "\(steps.count)): run that release, or restore a back-up from before it")
    }
    guard try version == 0 || tables(db) == tables(afterStep: version) else {
      throw StoreOpenError(
        .damaged, "\(path): its tables are not those that were made: restore a back-up")
    }
    return version
  }

  /// How the tables and indices of a file are declared.
  private static func tables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')
        FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1
        """)
  }

  /// The same of a new file that has taken so many steps.
  private static func tables(afterStep last: Int) throws -> [String] {
    try DatabaseQueue().writeWithoutTransaction { db in
      for step in steps.prefix(last) { try db.execute(sql: step) }
      return try tables(db)
    }
  }
}
