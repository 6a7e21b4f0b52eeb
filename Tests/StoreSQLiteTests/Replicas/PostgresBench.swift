import CollectionService
import Foundation
import StorePostgres
import Synchronization
import TestSupport
import VersionedCollections

/// A PostgreSQL server for the tests of this process, which ends with it.
final class PostgresServer: Sendable {
  private let commands: FileHandle
  private let answers: FileHandle
  private let lock = Mutex(())
  private let number = Mutex(0)
  /// The directory of the socket.
  let directory: String

  /// The server; nil if PostgreSQL is not installed.
  static let shared: PostgresServer? = {
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.compactMap({ Int($0) }).filter({ $0 >= 15 }).max() else {
      print("PostgreSQL 15 or later is not installed (apt-get install postgresql): left out")
      return nil
    }
    return PostgresServer(programs: "/usr/lib/postgresql/\(version)/bin")
  }()

  /// Starts, stops and clears away the server; ends it when this process has ended, however it did.
  private static let script = """
    dir="$(mktemp -d /tmp/livedelta-postgres-XXXXXX)"
    as() { "$@"; }
    if [ "$(id -u)" = 0 ]; then
      chown postgres "$dir"
      as() { runuser -u postgres -- "$@"; }
    fi
    cd "$dir"
    trap 'as "$0/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1; rm -rf "$dir"' EXIT
    as "$0/initdb" -D "$dir/data" -A trust -U livedelta --no-sync -E UTF8 --locale=C >/dev/null
    start() {
      as "$0/pg_ctl" -D "$dir/data" -l "$dir/log" -w -o "-c listen_addresses= -c fsync=off \\
        -c unix_socket_directories=$dir -c max_connections=400 -c shared_buffers=32MB \\
        -c max_prepared_transactions=4" start \\
        >/dev/null </dev/null
    }
    query() { psql -qAtX -v ON_ERROR_STOP=1 -h "$dir" -U livedelta -d "$@"; }
    start
    echo "$dir"
    while read -r verb name text; do
      case "$verb" in
        stop) as "$0/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null ;;
        start) start ;;
        create) createdb -h "$dir" -U livedelta "$name" </dev/null ;;
        sql) query "$name" -c "$text" </dev/null || echo failed ;;
        open)
          mkfifo "in$name" "out$name"
          query "$text" <"in$name" >"out$name" &
          exec {to}>"in$name" {from}<"out$name"
          inputs[$name]=$to outputs[$name]=$from ;;
        say)
          echo "$text; SELECT 'said';" >&${inputs[$name]}
          line=
          until [ "$line" = said ]; do
            read -r line <&${outputs[$name]} || { echo failed; break; }
          done ;;
        shut)
          to=${inputs[$name]} from=${outputs[$name]}
          exec {to}>&- {from}<&- ;;
      esac
      echo done
    done
    """

  private init?(programs: String) {
    let (input, output) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", Self.script, programs]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    commands = input.fileHandleForWriting
    answers = output.fileHandleForReading
    _ = fcntl(commands.fileDescriptor, F_SETFD, FD_CLOEXEC)
    do { try process.run() } catch { return nil }
    directory = Self.line(answers)
    if directory.isEmpty {
      print("PostgreSQL did not start: left out")
      return nil
    }
  }

  private static func line(_ file: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = file.readData(ofLength: 1).first, byte != 0x0a { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Creates an empty database.
  ///
  /// - Returns: Its name.
  func makeDatabase() throws -> String {
    let name = "test\(nextNumber())"
    try perform("create \(name)")
    return name
  }

  func nextNumber() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }

  /// A connection string; `directory` is that of another socket which leads to the server.
  func uri(_ database: String, through directory: String? = nil) -> String {
    "postgres:///\(database)?host=\(directory ?? self.directory)&user=livedelta"
  }

  /// Ends the server as a crash does, and starts it again.
  func restart() throws {
    try perform("stop")
    try perform("start")
  }

  /// Has the script carry out a command of one line.
  ///
  /// Starting processes from here would race with other tests that do.
  ///
  /// - Returns: What it printed.
  @discardableResult
  func perform(_ command: String) throws -> [String] {
    let line = command.split(separator: "\n").joined(separator: " ")
    let lines = lock.withLock { _ in
      commands.write(Data("\(line)\n".utf8))
      var lines: [String] = []
      var line = Self.line(answers)
      // No statement of a test has an empty row: the script has ended.
      while !line.isEmpty, line != "done" {
        lines.append(line)
        line = Self.line(answers)
      }
      return line.isEmpty ? ["failed"] : lines
    }
    if lines.last == "failed" { throw CancellationError() }
    return lines
  }
}

/// A service over a database of its own.
final class PostgresBench {
  private let server: PostgresServer
  private let database: String
  private(set) var store: PostgresStore
  private(set) var bench: ServiceBench
  let faults = FaultRecorder()
  private var opened: UInt64 = 1 << 16
  private let options: PostgresOptions
  private let limits: ServiceLimits

  init(
    _ server: PostgresServer, encoders: AnswerEncoders = .plain,
    limits: ServiceLimits = ServiceLimits(),
    _ configure: (inout PostgresOptions) -> Void = { _ in }
  ) throws {
    self.server = server
    database = try server.makeDatabase()
    var options = PostgresOptions()
    options.date = { 1_750_000_000 }
    options.faults = faults.record
    configure(&options)
    self.options = options
    store = try PostgresStore(server.uri(database), options: options)
    self.limits = limits
    bench = ServiceBench(
      limits: limits, store: store, encoders: encoders, seed: opened, faults: faults.record)
  }

  /// Another replica; `directory` is that of another socket which leads to the server.
  func replica(
    _ limits: ServiceLimits = ServiceLimits(), through directory: String? = nil
  ) throws -> PostgresBench {
    try PostgresBench(server, database, options, limits, directory)
  }

  private init(
    _ server: PostgresServer, _ database: String, _ options: PostgresOptions,
    _ limits: ServiceLimits, _ directory: String?
  ) throws {
    (self.server, self.database) = (server, database)
    self.options = options
    self.limits = limits
    opened = UInt64.random(in: 1...(.max))
    store = try PostgresStore(server.uri(database, through: directory), options: options)
    bench = ServiceBench(limits: limits, store: store, seed: opened, faults: faults.record)
  }

  /// Executes statements in the database.
  ///
  /// - Returns: The rows.
  @discardableResult
  func sql(_ text: String) throws -> [String] { try server.perform("sql \(database) \(text)") }

  /// Takes the collection of `bench`, whose settings never changed, to another version, as the
  /// promotion of a standby does that was behind.
  func move(to version: VersionToken) throws {
    try sql(
      """
      CREATE TABLE IF NOT EXISTS lost AS SELECT * FROM livedelta.change;
      DELETE FROM livedelta.change WHERE seq > \(version.seq);
      INSERT INTO livedelta.change SELECT * FROM lost WHERE seq <= \(version.seq)
        ON CONFLICT DO NOTHING;
      UPDATE livedelta.collection SET version = '\(version)', revision = \(version.seq)
      """)
  }

  /// Puts a new service over the database.
  func restart() throws {
    store.close()
    opened += 1
    store = try PostgresStore(server.uri(database), options: options)
    bench = ServiceBench(limits: limits, store: store, seed: opened, faults: faults.record)
  }

  /// Opens the same database for a copy from it or to it; the service's store is to be closed.
  func storeForCopy(isSource: Bool) throws -> PostgresStore {
    var options = PostgresOptions()
    let date = bench.date
    options.date = { Int64(date.value) }
    options.faults = faults.record
    return try PostgresStore(
      server.uri(database), options: options.forCopy(isSource: isSource))
  }

  /// Begins a session, to hold a transaction open.
  func session() throws -> PostgresSession { try PostgresSession(server, database) }

  deinit { store.close() }
}

/// A session of psql.
final class PostgresSession {
  private let server: PostgresServer
  private let number: Int

  init(_ server: PostgresServer, _ database: String) throws {
    self.server = server
    number = server.nextNumber()
    try server.perform("open \(number) \(database)")
  }

  deinit { _ = try? server.perform("shut \(number)") }

  /// Executes statements, and waits for their end.
  func run(_ text: String) throws { try server.perform("say \(number) \(text)") }
}
