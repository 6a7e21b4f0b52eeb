import HTTP1

/// One row of a table: bytes, and what a reader is to make of them.
struct Row: CustomStringConvertible, Sendable {
  /// The clause that is obeyed: of RFC 9112, unless it says another.
  let clause: String
  let bytes: [UInt8]
  let outcome: [String]

  /// The outcome is `PUT /a body` for a request, `400 defect` or `414` for a refusal.
  init(_ clause: String, _ text: String, _ outcome: String...) {
    self.init(clause, bytes: Array(text.utf8), outcome)
  }

  init(_ clause: String, bytes: [UInt8], _ outcome: [String]) {
    self.clause = clause
    self.bytes = bytes
    self.outcome = outcome
  }

  var description: String {
    "§\(clause) \(String(decoding: bytes.prefix(200), as: UTF8.self).debugDescription)"
  }
}

/// Reads pieces as they would come from a socket; gives what a row's outcome says.
func read(_ pieces: [ArraySlice<UInt8>], limits: RequestLimits = RequestLimits()) -> [String] {
  var reader = RequestReader()
  var scratch = ReaderScratch(limits: limits)
  var found: [String] = []
  for piece in pieces {
    let bytes = Array(piece)
    var position = 0
    events: while true {
      switch reader.next(bytes.span, at: &position, scratch: &scratch) {
      case .incomplete: break events
      case .head, .discarded: continue
      case .request(let request): found.append(describe(request))
      case .refused(let error):
        found.append(describe(error))
        return found
      }
    }
  }
  return found
}

/// Reads the bytes whole, in two pieces split at every byte, and byte by byte.
///
/// - Returns: what every way gave, or a list of those that differ from reading them whole.
func readEveryWay(_ bytes: [UInt8], limits: RequestLimits = RequestLimits()) -> [String] {
  let whole = read([bytes[...]], limits: limits)
  for split in bytes.indices {
    let found = read([bytes[..<split], bytes[split...]], limits: limits)
    if found != whole { return ["whole: \(whole), split at \(split): \(found)"] }
  }
  let single = read(bytes.indices.map { bytes[$0...$0] }, limits: limits)
  return single == whole ? whole : ["whole: \(whole), byte by byte: \(single)"]
}

func describe(_ request: HTTPRequest) -> String {
  let line = "\(request.method.rawValue) \(text(request.target))"
  let body = request.body.isEmpty ? "" : " \(String(decoding: request.body, as: UTF8.self))"
  return line + body + (request.keepsAlive ? "" : " close")
}

func describe(_ error: RequestError) -> String {
  guard case .malformed(let defect) = error else { return "\(error.status)" }
  return "\(error.status) \(defect)"
}
