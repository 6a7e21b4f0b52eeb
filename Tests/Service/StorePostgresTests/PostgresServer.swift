import Foundation
import StorePostgres
import Synchronization

/// A PostgreSQL server for the tests of this process, which ends with it.
final class PostgresServer: Sendable {
  private let commands: FileHandle
  private let answers: FileHandle
  private let lock = Mutex(())
  private let databaseCount = Mutex(0)
  /// The directory of the socket.
  let directory: String

  /// Where its programs are; nil if PostgreSQL is not installed.
  private static let programs: String? = {
    // Without the directory there is no version in it.
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let version = versions.compactMap { Int($0) }.filter { $0 >= 15 }.max()
    return version.map { "/usr/lib/postgresql/\($0)/bin" }
  }()

  /// Whether the tests of the store can run; where they can, one that cannot use the server fails.
  static let isInstalled: Bool = {
    if programs == nil {
      print("PostgreSQL 15 or later is not installed (apt-get install postgresql): left out")
    }
    return programs != nil
  }()

  /// The server; nil if there is none, or if it cannot be started or given the tables of this release.
  static let shared = programs.flatMap { PostgresServer(programs: $0) }

  /// Starts, stops and clears away the server; ends it when this process has ended, however it did.
  ///
  /// Starting processes from here would race with other tests that do.
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
        -c unix_socket_directories=$dir -c max_connections=800 -c shared_buffers=32MB \\
        -c max_prepared_transactions=4" start \\
        >/dev/null </dev/null
    }
    start
    echo "$dir"
    while read -r verb; do
      case "$verb" in
        stop) as "$0/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null ;;
        start) start ;;
      esac
      echo done
    done
    """

  /// The database that others are copied from, which has the tables of this release.
  private static let template = "livedelta_template"

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
    do {
      try process.run()
      directory = Self.line(answers)
      try sql("CREATE DATABASE \(Self.template)", in: "postgres")
      _ = try PostgresStore.migrate(uri(Self.template))
    } catch {
      print("PostgreSQL does not start with the tables of this release: \(error)")
      return nil
    }
  }

  private static func line(_ file: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = file.readData(ofLength: 1).first, byte != 0x0a { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Creates a database.
  ///
  /// - Parameter isEmpty: Whether it has no tables, not even those of this release.
  /// - Returns: Its name.
  /// - Throws: `PostgresSession.Failure`.
  func makeDatabase(isEmpty: Bool = false) throws -> String {
    let number = databaseCount.withLock { count in
      count += 1
      return count
    }
    let template = isEmpty ? "template0" : Self.template
    try sql("CREATE DATABASE test\(number) TEMPLATE \(template)", in: "postgres")
    return "test\(number)"
  }

  /// A connection string; `directory` is that of another socket which leads to the server.
  func uri(_ database: String, through directory: String? = nil) -> String {
    "postgres:///\(database)?host=\(directory ?? self.directory)&user=livedelta"
  }

  /// Executes statements in a database.
  ///
  /// - Returns: The rows.
  @discardableResult
  func sql(_ text: String, in database: String) throws -> [String] {
    try PostgresSession(uri(database)).run(text)
  }

  /// Ends the server as a crash does, and starts it again.
  func restart() throws {
    try lock.withLock { _ in
      for command in ["stop", "start"] {
        commands.write(Data("\(command)\n".utf8))
        guard Self.line(answers) == "done" else { throw CancellationError() }
      }
    }
  }
}
