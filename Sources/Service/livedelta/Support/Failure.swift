import LiveDeltaClient

/// The reason a command fails, with its exit status.
struct Failure: Error {
  /// One of several errors in an input.
  struct Fault: Sendable {
    var place: SourcePlace?
    var pointer: String
    var detail: String
  }

  var status: ExitStatus
  var sentence: String
  var place: SourcePlace?
  var faults: [Fault] = []
  var advice: String?
  var problem: ProblemDetails?

  init(
    _ status: ExitStatus, _ sentence: String, at place: SourcePlace? = nil, advice: String? = nil
  ) {
    self.status = status
    self.sentence = sentence
    self.place = place
    self.advice = advice
  }

  static func data(_ sentence: String, at place: SourcePlace? = nil) -> Failure {
    Failure(.data, sentence, at: place)
  }

  static func configuration(_ sentence: String, at place: SourcePlace? = nil) -> Failure {
    Failure(.configuration, sentence, at: place)
  }

  /// Calls a closure that depends on settings, reporting any error as one of configuration.
  static func configuring<Value>(_ make: () throws -> Value) throws -> Value {
    do {
      return try make()
    } catch let failure as Failure {
      throw failure
    } catch {
      throw configuration("\(error)")
    }
  }
}
