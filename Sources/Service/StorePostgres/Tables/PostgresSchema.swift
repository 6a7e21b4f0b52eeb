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
  /// Step 2: the bytes of a head's contents, null in rows of the first release, and when collections
  /// were last used by the clock of the database. Only earlier releases use `ticket`. The feed of
  /// changes is written by a trigger, so that it has those of the first release too, and begins with a
  /// row that stands for what was before the oldest transaction then under way.
  /// Step 3: the trigger notes in a lock where a writer's numbers begin; see `PostgresTables+Feed`. No
  /// writer may be under way meanwhile, because it would have numbers without the lock. It sets that
  /// PostgreSQL ends its transaction when its writer is idle or gone; `concat` is what plpgsql evaluates
  /// without a statement. The index by `xid` is for
  /// replicas of the release before, which would otherwise sort the feed each second. A job is what one
  /// replica at a time does: its holder until when, and how far it got. That of webhooks begins with a
  /// reset where there are collections: what the release before has not pushed is not known.
  /// Step 4: the secrets of lineages. The database draws those of collections that an earlier release creates.
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
    """,
    """
    ALTER TABLE livedelta.collection ADD COLUMN bytes bigint;
    CREATE TABLE livedelta.last_use (collection bigint PRIMARY KEY, date bigint NOT NULL);
    CREATE TABLE livedelta.ticket (
      id bytea PRIMARY KEY, date bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint);
    CREATE TABLE livedelta.feed (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      client text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
      version text COLLATE "C" NOT NULL, deleted bigint NOT NULL,
      date bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint);
    CREATE INDEX feed_xid ON livedelta.feed (xid, number);
    INSERT INTO livedelta.feed (xid, client, name, version, deleted)
      VALUES (pg_snapshot_xmin(pg_current_snapshot()), '', '', '', 0);
    CREATE FUNCTION livedelta.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN INSERT INTO livedelta.feed (client, name, version, deleted)
        VALUES (OLD.client, OLD.name, OLD.version, 1); ELSE
        INSERT INTO livedelta.feed (client, name, version, deleted)
        VALUES (NEW.client, NEW.name, NEW.version, 0); END IF; RETURN NULL; END $$;
    CREATE TRIGGER note_change AFTER INSERT OR DELETE OR UPDATE OF version
      ON livedelta.collection FOR EACH ROW EXECUTE FUNCTION livedelta.note_change();
    """,
    """
    CREATE TABLE livedelta.job (
      name text PRIMARY KEY, holder text NOT NULL DEFAULT '', until bigint NOT NULL DEFAULT 0,
      position text);
    INSERT INTO livedelta.job (name, position) SELECT 'feed', '0' UNION ALL
      SELECT 'webhook', CASE WHEN EXISTS (SELECT FROM livedelta.collection) THEN 'upgraded.0' END;
    ALTER TABLE livedelta.feed SET (autovacuum_vacuum_scale_factor = 0.02);
    SET LOCAL lock_timeout = '5s';
    LOCK TABLE livedelta.collection IN SHARE ROW EXCLUSIVE MODE;
    CREATE OR REPLACE FUNCTION livedelta.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    \(noteWriter) IF TG_OP = 'DELETE' THEN
        INSERT INTO livedelta.feed (client, name, version, deleted)
        VALUES (OLD.client, OLD.name, OLD.version, 1); ELSE
        INSERT INTO livedelta.feed (client, name, version, deleted)
        VALUES (NEW.client, NEW.name, NEW.version, 0); END IF; RETURN NULL; END $$;
    """,
    """
    SET LOCAL lock_timeout = '5s';
    ALTER TABLE livedelta.collection ADD COLUMN secret bytea NOT NULL
      DEFAULT decode(replace(gen_random_uuid()::text, '-', ''), 'hex');
    ALTER TABLE livedelta.feed ADD COLUMN secret bytea;
    CREATE OR REPLACE FUNCTION livedelta.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    \(noteWriter) IF TG_OP = 'DELETE' THEN
        INSERT INTO livedelta.feed (client, name, version, deleted, secret)
        VALUES (OLD.client, OLD.name, OLD.version, 1, OLD.secret); ELSE
        INSERT INTO livedelta.feed (client, name, version, deleted, secret)
        VALUES (NEW.client, NEW.name, NEW.version, 0, NEW.secret); END IF; RETURN NULL; END $$;
    """,
  ]

  /// Notes in a lock where a writer's numbers begin.
  private static let noteWriter = """
    DECLARE done text; BEGIN
      IF current_setting('livedelta.noted', true) IS DISTINCT FROM '1' THEN
        done := concat(pg_advisory_xact_lock_shared(\(feedLock), ((
          coalesce(pg_sequence_last_value('livedelta.feed_number_seq'), 0)
          & 4294967295 # 2147483648) - 2147483648)::int),
          set_config('livedelta.noted', '1', true),
          set_config('idle_in_transaction_session_timeout', '30s', true)); IF
        current_setting('tcp_keepalives_idle') NOT IN ('0', '10') THEN
          done := concat(set_config('tcp_keepalives_idle', '10', false),
            set_config('tcp_keepalives_interval', '5', false),
            set_config('tcp_keepalives_count', '3', false)); END IF; END IF;
    """

  /// An arbitrary number, the class of the locks of those who write to the feed.
  static let feedLock = 0x4c44_4644

  /// An arbitrary number, the lock that one replica at a time migrates under.
  private static let lock = 0x4c44_4c54

  /// Applies the migrations that a database needs.
  ///
  /// - Returns: The number of migrations applied before and after.
  /// - Throws: `PostgresFailure`; `PostgresOpenError` if the release after the next has migrated it.
  @discardableResult
  static func migrate(_ connection: PostgresConnection) throws -> (before: Int, after: Int) {
    if let known = try version(connection), known >= steps.count {
      try check(known)
      return (known, known)
    }
    try connection.run("BEGIN")
    try connection.run("SELECT pg_advisory_xact_lock($1::bigint)", [.number(lock)])
    try connection.run("CREATE SCHEMA IF NOT EXISTS livedelta")
    try connection.run(
      "CREATE TABLE IF NOT EXISTS livedelta.migration (number bigint PRIMARY KEY)")
    let known = try version(connection) ?? 0
    try check(known)
    for step in known..<max(known, steps.count) {
      for statement in steps[step].split(separator: ";\n") {
        try connection.run(String(statement))
      }
      try connection.run(
        "INSERT INTO livedelta.migration VALUES ($1::bigint)", [.number(step + 1)])
    }
    try connection.run("COMMIT")
    return (known, max(known, steps.count))
  }

  /// Checks that a database has the tables of this release, or of the next.
  ///
  /// - Throws: `PostgresFailure`; `PostgresOpenError` if it has others.
  static func checkIsCurrent(_ connection: PostgresConnection) throws {
    guard let known = try version(connection) else {
      throw PostgresOpenError(description: "the database has no tables of livedelta")
    }
    guard known >= steps.count else {
      throw PostgresOpenError(
        description: "the database has tables of an earlier release, format \(known), and is only "
          + "read: run livedelta migrate first")
    }
    try check(known)
  }

  /// The number of later migrations that a release can ignore.
  private static let laterMax = 1

  private static func check(_ known: Int) throws(PostgresOpenError) {
    guard known > steps.count + laterMax else { return }
    throw PostgresOpenError(
      description: "the database was migrated by a later release (format \(known), this one "
        + "knows \(steps.count)): run that release")
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
