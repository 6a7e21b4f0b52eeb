import LiveDeltaClient
import SnapshotJSON

/// Reports why a command failed to standard error, as text or as one line of JSON.
struct ErrorReport {
  let isJSON: Bool

  func write(_ failure: Failure) -> ExitStatus {
    if isJSON {
      Terminal.write(json(failure) + [UInt8(ascii: "\n")], to: Surroundings.current.errors)
    } else {
      for line in lines(failure) { Terminal.note(line) }
    }
    return failure.status
  }

  private func lines(_ failure: Failure) -> [String] {
    let place = failure.place.map { "\($0): " } ?? ""
    var lines = ["livedelta: \(place)\(failure.sentence)"]
    lines += failure.faults.map { fault in
      let pointer = fault.pointer.isEmpty ? "" : fault.pointer + ": "
      return "  \(fault.place.map { "\($0): " } ?? "")\(pointer)\(fault.detail)"
    }
    if let current = failure.problem?.current { lines.append("  newest version: \(current)") }
    if let advice = failure.advice { lines.append("  \(advice)") }
    return lines
  }

  private func json(_ failure: Failure) -> [UInt8] {
    JSONWriter.object { writer in
      writer.beginObject("error")
      writer.member("exit", Int(failure.status.rawValue))
      writer.member("message", failure.sentence)
      if let place = failure.place { writer.members(of: place) }
      if let problem = failure.problem {
        writer.member("status", problem.status)
        writer.member("code", problem.code)
        if let current = problem.current { writer.member("current", current) }
        if let limit = problem.limit { writer.member("limit", limit) }
      }
      if !failure.faults.isEmpty {
        writer.array("places", failure.faults) { $0.fault($1) }
      }
      if let advice = failure.advice { writer.member("advice", advice) }
      writer.endObject()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func fault(_ fault: Failure.Fault) {
    object { writer in
      writer.member("pointer", fault.pointer)
      writer.member("detail", fault.detail)
      if let place = fault.place { writer.members(of: place) }
    }
  }

  fileprivate mutating func members(of place: SourcePlace) {
    member("file", place.file)
    member("line", place.line)
    member("column", place.column)
  }
}
