import CollectionService
import Foundation
import StorePostgres
import Synchronization
import TestSupport

/// A PostgreSQL server for the tests of this process, which ends with it.
final class PostgresServer: Sendable {
  private let commands: FileHandle
  private let answers: FileHandle
  private let lock = Mutex(0)
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
        -c unix_socket_directories=$dir -c max_connections=400 -c shared_buffers=32MB" start \\
        >/dev/null </dev/null
    }
    start
    echo "$dir"
    while read -r command; do
      case "$command" in
        stop) as "$0/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null ;;
        start) start ;;
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
  /// - Returns: Its URI.
  func makeDatabase() throws -> String {
    let number = lock.withLock { number in
      number += 1
      return number
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["createdb", "-h", directory, "-U", "livedelta", "test\(number)"]
    try process.run()
    process.waitUntilExit()
    return "postgres:///test\(number)?host=\(directory)&user=livedelta"
  }

  /// Ends the server as a crash does, and starts it again.
  func restart() {
    perform("stop")
    perform("start")
  }

  func perform(_ command: String) {
    lock.withLock { _ in
      commands.write(Data("\(command)\n".utf8))
      _ = Self.line(answers)
    }
  }
}

/// A service over a database of its own.
final class PostgresBench {
  let uri: String
  private(set) var store: PostgresStore
  private(set) var bench: ServiceBench
  let faults = FaultRecorder()
  private var opened: UInt64 = 1 << 16
  private let options: PostgresOptions

  init(
    _ server: PostgresServer, encoders: AnswerEncoders = .plain,
    _ configure: (inout PostgresOptions) -> Void = { _ in }
  ) throws {
    uri = try server.makeDatabase()
    var options = PostgresOptions()
    options.date = { 1_750_000_000 }
    options.faults = faults.record
    configure(&options)
    self.options = options
    store = try PostgresStore(uri, options: options)
    bench = ServiceBench(store: store, encoders: encoders, seed: opened, faults: faults.record)
  }

  /// Another replica.
  func replica(_ limits: ServiceLimits = ServiceLimits()) throws -> PostgresBench {
    try PostgresBench(uri, options)
  }

  private init(_ uri: String, _ options: PostgresOptions) throws {
    self.uri = uri
    self.options = options
    opened = UInt64.random(in: 1...(.max))
    store = try PostgresStore(uri, options: options)
    bench = ServiceBench(store: store, seed: opened, faults: faults.record)
  }

  /// Puts a new service over the database.
  func restart() throws {
    store.close()
    opened += 1
    store = try PostgresStore(uri, options: options)
    bench = ServiceBench(store: store, seed: opened, faults: faults.record)
  }

  deinit { store.close() }
}
