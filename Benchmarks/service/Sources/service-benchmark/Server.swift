import Foundation
import Glibc

/// A server under test: a process of its own on a free port.
final class Server {
  let name: String
  let port: Int
  private let process = Process()

  /// Starts `livedelta serve` with nothing on disk.
  static func ours(_ program: String) throws -> Server {
    let port = try freePort()
    return try Server(
      "livedelta", port, program,
      [
        "serve", "--listen", "127.0.0.1:\(port)", "--ops", "127.0.0.1:0", "--data", ":memory:",
      ], ["LIVEDELTA_LOG_ACCESS": "off"])
  }

  /// Starts the peer, which is built beside this program.
  static func peer() throws -> Server {
    let port = try freePort()
    let tools = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return try Server(
      "hummingbird", port, tools.appending(path: "service-hummingbird").path, ["\(port)"], [:])
  }

  private init(
    _ name: String, _ port: Int, _ program: String, _ arguments: [String],
    _ environment: [String: String]
  ) throws {
    self.name = name
    self.port = port
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
    throw BenchmarkError(text: "\(name) did not start")
  }

  func stop() {
    // Nothing is kept: no need for patience.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The processor time that the threads there are have taken, in milliseconds.
  var processorMilliseconds: Double {
    let tasks = "/proc/\(process.processIdentifier)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return names.reduce(0) { sum, name in
      let text = try? String(contentsOfFile: "\(tasks)/\(name)/schedstat", encoding: .utf8)
      return sum + (text?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
    }
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(descriptor) }
    var address = Connection.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
      }
    }
    guard result == 0 else { throw BenchmarkError(text: "no free port: \(errno)") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
