import Foundation

/// What surrounds a command: environment variables and standard streams, those of the process unless a test
/// gives it others.
struct Surroundings: Sendable {
  /// The environment variables, by name; read once, as the program changes none.
  var environment = Self.processEnvironment
  var input = STDIN_FILENO
  var output = STDOUT_FILENO
  var errors = STDERR_FILENO

  @TaskLocal static var current = Surroundings()

  private static let processEnvironment = ProcessInfo.processInfo.environment
}
