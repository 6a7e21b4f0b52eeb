import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import Subprocess
import SystemPackage
import TestSupport
import Testing

private let newline = UInt8(ascii: "\n")

/// `livedelta serve` on free ports, as a process of its own.
final class RunningService: Sendable {
  /// Where it listens, as the program says: `HOST:PORT`, then what else was asked for.
  let listening: [String]
  /// Where its operations listener is.
  let operations: String
  /// The number of the process.
  let identifier: Int32
  private let ended: Task<Int32, any Error>

  /// Starts it and waits until it says where it listens.
  convenience init(
    _ arguments: String..., environment: [String: String] = [:], errors: String = "/dev/null"
  ) async throws {
    try await self.init(arguments, environment: environment, errors: errors)
  }

  /// Starts it, with its messages appended to a file, and waits until it says where it listens.
  init(
    _ arguments: [String], environment: [String: String] = [:], errors: String = "/dev/null"
  ) async throws {
    let messages = try FileDescriptor.open(
      FilePath(errors), .writeOnly, options: [.append, .create], permissions: .ownerReadWrite)
    let configuration = Program.livedelta(
      ["serve", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--json"] + arguments
        + (arguments.contains("--data") ? [] : ["--data", ":memory:"]),
      environment: environment)
    let (starts, starting) = AsyncStream.makeStream(of: (Int32, [UInt8]).self)
    ended = Task {
      defer { starting.finish() }
      let outcome = try await Subprocess.run(
        configuration, input: .none, output: .sequence,
        error: .fileDescriptor(messages, closeAfterSpawningProcess: true)
      ) { execution in
        var line: [UInt8] = []
        // What follows the first line is read too, lest the service wait for a full pipe.
        for try await piece in execution.standardOutput where !line.contains(newline) {
          line += piece.withUnsafeBytes { Array($0) }
          guard line.contains(newline) else { continue }
          starting.yield((execution.processIdentifier.value, line))
          starting.finish()
        }
      }
      return outcome.terminationStatus.code
    }
    let start = await starts.first { _ in true }
    let (identifier, bytes) = try #require(start, "the service ended before it listened")
    let line = JSONTree(bytes)
    self.identifier = identifier
    listening = line["listening"].elements.compactMap(\.string)
    operations = try #require(line["operations"].elements.first?.string)
  }

  /// A client of the first listener.
  func client() throws -> DeltaClient {
    DeltaClient(try ServerAddress(try #require(listening.first)), transport: CurlTransport())
  }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(identifier, signal) }

  /// Waits for its end; gives the exit code, or the signal that ended it.
  func end() async -> Int32 { (try? await ended.value) ?? -1 }

  /// Ends it at once.
  func stop() async {
    send(SIGINT)
    _ = await end()
  }
}
