import Foundation

/// What surrounds a command: environment variables and standard streams, those of the process unless a test
/// gives it others.
struct Surroundings: Sendable {
  /// The environment variables, by name; read once, as the program changes none.
  var environment = Self.processEnvironment
  /// The descriptor of standard input.
  var input = STDIN_FILENO
  /// The descriptor of standard output.
  var output = STDOUT_FILENO
  /// The descriptor of standard error.
  var errors = STDERR_FILENO

  /// Those of the current task.
  @TaskLocal static var current = Surroundings()

  private static let processEnvironment = ProcessInfo.processInfo.environment
}
