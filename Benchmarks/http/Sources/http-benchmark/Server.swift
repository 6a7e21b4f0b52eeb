import Foundation
import Glibc

/// A server under test: a process of its own on a port of its own.
final class Server {
  let name: String
  let port: Int
  /// It has the routes that park and release.
  let parks: Bool
  private let command: [String]
  private let process = Process()

  init(_ name: String, port: Int, parks: Bool, command: [String]) {
    self.name = name
    self.port = port
    self.parks = parks
    self.command = command
  }

  /// All servers; nginx only where it is installed.
  static func all(tools: String) throws -> [Server] {
    func own(_ name: String, _ port: Int, parks: Bool = true) -> Server {
      Server(
        String(name.dropFirst(5)), port: port, parks: parks,
        command: ["\(tools)/\(name)", String(port)])
    }
    var servers = [
      own("http-ours", 9101), own("http-epoll", 9102, parks: false), own("http-hummingbird", 9103),
      own("http-flyingfox", 9104),
    ]
    if FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") {
      let file = NSTemporaryDirectory() + "livedelta-nginx.conf"
      try nginxConfiguration(port: 9105).write(toFile: file, atomically: true, encoding: .utf8)
      try nginxDocument.write(
        toFile: "/dev/shm/livedelta-document", atomically: true, encoding: .utf8)
      servers.append(
        Server("nginx", port: 9105, parks: false, command: ["/usr/sbin/nginx", "-c", file]))
    }
    return servers
  }

  /// nginx serves a document from a file, here one in memory, with its descriptor kept open.
  private static let nginxDocument = "{\"text\":\"\(String(repeating: "a", count: 2037))\"}"

  private static func nginxConfiguration(port: Int) -> String {
    """
    daemon off;
    worker_processes 2;
    worker_rlimit_nofile 20000;
    pid /tmp/livedelta-nginx.pid;
    error_log /dev/null;
    events { worker_connections 12000; }
    http {
      access_log off;
      sendfile on;
      open_file_cache max=10;
      keepalive_requests 1000000000;
      client_body_buffer_size 64k;
      default_type application/json;
      server {
        listen 127.0.0.1:\(port);
        location = /health { return 200 '{"status":"ok"}'; }
        location = /document { alias /dev/shm/livedelta-document; }
        location = /put { return 204; }
      }
    }
    """
  }

  func start() throws {
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<200 {
      if let connection = try? Connection(port: port) {
        connection.close()
        return
      }
      usleep(50_000)
    }
    throw BenchmarkError.notStarted(name)
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// The process and its children: nginx works in them.
  private var processes: [Int32] {
    let children = try? String(
      contentsOfFile:
        "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children",
      encoding: .utf8)
    return [process.processIdentifier]
      + (children ?? "").split(separator: " ").compactMap { Int32($0) }
  }

  /// The processor time taken so far, in seconds.
  var processorSeconds: Double {
    processes.reduce(0) { sum, id in
      guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        let fields = text.split(separator: ")").last?.split(separator: " ")
      else { return sum }
      let ticks = (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)
      return sum + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }

  /// The resident memory, in bytes.
  var residentBytes: Int {
    processes.reduce(0) { sum, id in
      let text = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8)
      let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      return sum + (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
  }
}

enum BenchmarkError: Error {
  case notStarted(String)
  case noConnection(Int32)
  case noFigures(String)
}
