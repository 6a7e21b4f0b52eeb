import Foundation
import Testing

@testable import livedelta

/// The program, run in this process: what a command writes, and its exit code.
enum Program {
  /// What a command leaves.
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }
  }

  /// The folder of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs a command to its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) async throws -> Outcome {
    try await run(arguments, environment: environment, input: input)
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) async throws -> Outcome {
    let (stream, output, errors) = (try Stream(input), try Stream(), try Stream())
    var surroundings = Surroundings()
    surroundings.environment = environment
    surroundings.input = stream.descriptor
    surroundings.output = output.descriptor
    surroundings.errors = errors.descriptor
    let status = await Surroundings.$current.withValue(surroundings) {
      await LiveDeltaCommand.run(arguments.map(path))
    }
    return Outcome(status: status, output: try output.text(), errors: try errors.text())
  }

  /// The path of an example, wherever the tests run.
  private static func path(_ argument: String) -> String {
    argument.hasPrefix("examples/") ? root.appending(path: argument).path : argument
  }
}

/// A file without a name, as a standard stream.
private final class Stream: Sendable {
  let descriptor: Int32

  /// Creates a stream that can be read from its beginning.
  init(_ text: String = "") throws {
    let path = NSTemporaryDirectory() + UUID().uuidString
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    unlink(path)
    let bytes = Array(text.utf8)
    try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  deinit { close(descriptor) }

  /// All that is in it.
  func text() throws -> String {
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    try #require(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
    return String(decoding: bytes, as: UTF8.self)
  }
}
