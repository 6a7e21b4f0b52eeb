import Foundation
import Testing

/// The program, run as a user runs it: the binary that was built beside the tests.
enum Program {
  /// What a finished program leaves.
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }
  }

  /// The folder of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built products: where the tests themselves run from.
  static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs `livedelta` to its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(
      products.appending(path: "livedelta"), arguments, environment: environment)
  }

  /// Runs a line of shell in the package's folder, with `livedelta` on the path.
  static func shell(_ line: String) async throws -> Outcome {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try await run(
      URL(filePath: "/bin/bash"), ["-c", line],
      environment: ["PATH": "\(products.path):\(path)"])
  }

  /// A program that is set up but not started: in the package's folder, with no settings but these.
  static func process(
    _ executable: URL, _ arguments: [String], environment: [String: String]
  ) -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = root
    process.standardInput = FileHandle.nullDevice
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LIVEDELTA_") }
    process.environment = inherited.merging(environment) { $1 }
    return process
  }

  private static func run(
    _ executable: URL, _ arguments: [String], environment: [String: String]
  ) async throws -> Outcome {
    let process = process(executable, arguments, environment: environment)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    async let status = process.finish()
    async let outputText = output.text()
    async let errorText = errors.text()
    return try await Outcome(status: status, output: outputText, errors: errorText)
  }
}

extension Process {
  /// Starts the program and waits for its end, without holding a thread.
  fileprivate func finish() async throws -> Int32 {
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}

extension Pipe {
  /// All that comes until the other end is closed.
  fileprivate func text() async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "pipe").async {
        var bytes: [UInt8] = []
        while case let next = self.nextBytes(), !next.isEmpty { bytes += next }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
