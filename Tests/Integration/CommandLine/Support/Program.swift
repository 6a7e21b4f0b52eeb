import Foundation
import Subprocess
import SystemPackage
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
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built products: where the tests themselves run from.
  static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs `livedelta` to its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, environment: environment)
  }

  /// Runs `livedelta` to its end.
  static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(livedelta(arguments, environment: environment))
  }

  /// Runs a line of shell in the package's folder, with `livedelta` on the path.
  static func shell(
    _ line: String, environment: [String: String] = [:]
  ) async throws -> Outcome {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let environment = ["PATH": "\(products.path):\(path)"].merging(environment) { $1 }
    return try await run(
      configuration("/bin/bash", ["-c", line], environment: environment))
  }

  /// Whether there is Node, for the examples of documents that are in JavaScript.
  static var hasNode: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/node")
    }
  }

  /// How to start `livedelta`: in the package's folder, with no settings but these.
  static func livedelta(
    _ arguments: [String], environment: [String: String]
  ) -> Subprocess.Configuration {
    configuration(
      products.appending(path: "livedelta").path, arguments, environment: environment)
  }

  private static func configuration(
    _ executable: String, _ arguments: [String], environment: [String: String]
  ) -> Subprocess.Configuration {
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LIVEDELTA_") }
    var variables: [Environment.Key: String] = [:]
    for (name, value) in inherited.merging(environment, uniquingKeysWith: { $1 }) {
      variables[Environment.Key(stringLiteral: name)] = value
    }
    return Subprocess.Configuration(
      executable: .path(FilePath(executable)), arguments: Arguments(arguments),
      environment: .custom(variables), workingDirectory: FilePath(root.path))
  }

  private static func run(_ configuration: Subprocess.Configuration) async throws -> Outcome {
    let outcome = try await Subprocess.run(
      configuration, output: .bytes(limit: .max), error: .bytes(limit: .max))
    return Outcome(
      status: outcome.terminationStatus.code,
      output: String(decoding: outcome.standardOutput, as: UTF8.self),
      errors: String(decoding: outcome.standardError, as: UTF8.self))
  }
}

extension TerminationStatus {
  /// The exit code, or the signal that ended the process.
  var code: Int32 {
    switch self {
    case .exited(let code), .signaled(let code): code
    }
  }
}
