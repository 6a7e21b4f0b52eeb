/// The tables, as numbered migrations from any earlier release.
///
/// A released migration is never changed. A replica of an earlier release may run beside a database
/// that was migrated by the next one, so a migration only adds what the earlier release can ignore.
enum PostgresSchema {
  /// The migrations, in order.
  ///
  /// A collection's head row is updated by comparing its version and revision; it has no index on
  /// what changes, so that an update stays in its page. An image is a complete version of a
  /// collection, which also has the contents of version `oldest`; a change leads to the next
  /// version. A request is an idempotency record, of a collection or, if that is empty, of batches.
  static let steps: [String] = [
    """
    CREATE TABLE livedelta.collection (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      client text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
      version text COLLATE "C" NOT NULL, revision bigint NOT NULL, items bigint NOT NULL,
      date bigint NOT NULL, settings bytea, forced bytea, UNIQUE (client, name))
      WITH (fillfactor = 70);
    CREATE TABLE livedelta.image (
      collection bigint PRIMARY KEY, seq bigint NOT NULL, oldest bigint NOT NULL,
      revision bigint NOT NULL DEFAULT 0, data bytea NOT NULL);
    CREATE TABLE livedelta.change (
      collection bigint, seq bigint, data bytea NOT NULL, PRIMARY KEY (collection, seq));
    CREATE TABLE livedelta.deletion (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, collection bigint NOT NULL,
      client text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
      version text COLLATE "C" NOT NULL, date bigint NOT NULL);
    CREATE TABLE livedelta.request (
      client text COLLATE "C", collection text COLLATE "C", key text COLLATE "C",
      number bigint GENERATED ALWAYS AS IDENTITY, date bigint NOT NULL, data bytea NOT NULL,
      PRIMARY KEY (client, collection, key));
    CREATE INDEX request_number ON livedelta.request (client, collection, number);
    CREATE INDEX request_date ON livedelta.request (date);
    """
  ]

  /// An arbitrary number, the lock that one replica at a time migrates under.
  private static let lock = 0x4c44_4c54

  /// Applies the migrations that a database needs.
  ///
  /// - Throws: `PostgresFailure`; `PostgresOpenError` if a later release has migrated it.
  static func migrate(_ connection: PostgresConnection) throws {
    if try version(connection) == steps.count { return }
    try connection.run("BEGIN")
    try connection.run("SELECT pg_advisory_xact_lock($1::bigint)", [.number(lock)])
    try connection.run("CREATE SCHEMA IF NOT EXISTS livedelta")
    try connection.run(
      "CREATE TABLE IF NOT EXISTS livedelta.migration (number bigint PRIMARY KEY)")
    let known = try version(connection) ?? 0
    guard known <= steps.count else {
      throw PostgresOpenError(
        description: "the database was migrated by a later release (format \(known), this one "
          + "knows \(steps.count)): run that release")
    }
    for step in known..<steps.count {
      for statement in steps[step].split(separator: ";\n") {
        try connection.run(String(statement))
      }
      try connection.run(
        "INSERT INTO livedelta.migration VALUES ($1::bigint)", [.number(step + 1)])
    }
    try connection.run("COMMIT")
  }

  /// The number of migrations applied; nil if there is no table of them.
  private static func version(_ connection: PostgresConnection) throws -> Int? {
    let table = try connection.run("SELECT to_regclass('livedelta.migration')::text")
    guard table.optionalBytes(0, 0) != nil else { return nil }
    return try connection.run(
      "SELECT coalesce(max(number), 0)::bigint FROM livedelta.migration"
    ).number(0, 0)
  }
}
