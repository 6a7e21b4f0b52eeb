import ArgumentParser

/// The exit statuses, one for each kind of error (sysexits.h).
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case notAsItShouldBe = 1
  case usage = 64
  case data = 65
  case missing = 66
  case unreachable = 69
  case service = 70
  case conflict = 73
  case output = 74
  case notNow = 75
  case denied = 77
  case configuration = 78
  case interrupted = 130

  var meaning: String {
    switch self {
    case .done: "done"
    case .notAsItShouldBe: "a check failed (check, replay, verify)"
    case .usage: "the command line is wrong"
    case .data: "an input is wrong: not JSON, a duplicate id, too large"
    case .missing: "something does not exist: a file, a collection, a version"
    case .unreachable: "the service cannot be reached, or cannot listen"
    case .service: "the service failed, or cannot do this"
    case .conflict: "a precondition failed: the collection has changed"
    case .output: "the result cannot be written: the disk is full"
    case .notNow: "no answer in time, or the service is busy: try again"
    case .denied: "you may not do that"
    case .configuration: "a setting is wrong: an option, a variable, or in the file"
    case .interrupted: "interrupted"
    }
  }

  static var table: String {
    allCases.map { status in
      let number = String(status.rawValue)
      return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(status.meaning)"
    }.joined(separator: "\n")
  }

  var code: ExitCode { ExitCode(rawValue) }
}
