import ArgumentParser
import LiveCollectionsClient
import SnapshotJSON

/// How a command ends when it does not succeed: a sentence, and the exit code that scripts read.
struct Failure: Error {
  var sentence: String
  var code: ExitCode

  /// The work was done and found something wrong.
  static func found(_ sentence: String) -> Failure { Failure(sentence: sentence, code: 1) }
  /// An input is not what it should be.
  static func data(_ sentence: String) -> Failure { Failure(sentence: sentence, code: 65) }
  /// The configuration is wrong, or asks for what cannot be.
  static func configuration(_ sentence: String) -> Failure { Failure(sentence: sentence, code: 78) }

  /// Makes a value from the configuration; whatever is thrown is the configuration's fault.
  static func configuring<Value>(_ make: () throws -> Value) throws -> Value {
    do {
      return try make()
    } catch {
      throw configuration("\(error)")
    }
  }

  init(sentence: String, code: Int32) {
    self.sentence = sentence
    self.code = ExitCode(code)
  }

  init(_ error: ClientError, _ address: ServerAddress) {
    sentence = "\(address): \(error)"
    switch error {
    case .badAddress: code = ExitCode(64)
    case .transport: code = ExitCode(69)
    case .timedOut: code = ExitCode(75)
    case .cancelled: code = ExitCode(130)
    case .answerTooLarge, .malformed, .problem: code = ExitCode(1)
    }
  }
}

extension AsyncParsableCommand {
  /// Runs a command's work; writes a failure to standard error and exits with its code.
  func reporting(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let failure as Failure {
      Terminal.note("livedelta: \(failure.sentence)")
      throw failure.code
    } catch let error as InputError {
      Terminal.note("livedelta: \(error)")
      throw ExitCode(66)
    }
  }
}
