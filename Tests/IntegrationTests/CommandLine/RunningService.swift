import Foundation
import LiveCollectionsClient
import Testing

/// `livedelta serve` on free ports, as a process of its own.
final class RunningService: Sendable {
  /// Where it listens, as the program says: `HOST:PORT`, then what else was asked for.
  let listening: [String]
  /// Where its operations listener is.
  let operations: String
  private let process: Process
  private let ended: Task<Int32, Never>

  /// Starts it and waits until it says where it listens.
  init(_ arguments: String..., environment: [String: String] = [:]) async throws {
    let process = Program.process(
      Program.products.appending(path: "livedelta"),
      ["serve", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--json"] + arguments
        + (arguments.contains("--data") ? [] : ["--data", ":memory:"]),
      environment: environment)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      continuation.yield($0.terminationStatus)
      continuation.finish()
    }
    try process.run()
    self.process = process
    ended = Task {
      for await status in stream { return status }
      return -1
    }
    let line = JSONTree(await output.firstLine())
    listening = line["listening"].array.compactMap(\.string)
    operations = try #require(line["operations"].array.first?.string)
  }

  /// A client of the first listener.
  func client() throws -> DeltaClient {
    DeltaClient(try ServerAddress(try #require(listening.first)))
  }

  /// The number of the process.
  var identifier: Int32 { process.processIdentifier }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for its end; gives the exit code.
  func end() async -> Int32 { await ended.value }

  /// Ends it at once.
  func stop() async {
    send(SIGINT)
    _ = await end()
  }
}

extension Pipe {
  /// The bytes up to the first line end.
  fileprivate func firstLine() async -> [UInt8] {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "pipe").async {
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "\n")) {
          let next = self.nextBytes()
          if next.isEmpty { break }
          bytes += next
        }
        continuation.resume(returning: bytes)
      }
    }
  }
}
