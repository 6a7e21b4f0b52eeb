import HTTP1

/// Reads the input three ways that must agree: whole, in two pieces split where the first byte says,
/// and in pieces of the length that the second byte says.
///
/// Besides it checks what must hold of any input: events and positions stay within the bytes, limits
/// are kept, nothing is read behind a refusal, and a request can be looked at without a trap.
func fuzzRequests(_ input: [UInt8]) {
  guard input.count >= 2 else { return }
  let split = Int(input[0])
  let length = max(1, Int(input[1]))
  let bytes = Array(input.dropFirst(2))
  let whole = transcript([bytes[...]])
  let cut = min(split * 4, bytes.count)
  check(transcript([bytes[..<cut], bytes[cut...]]) == whole, "split at \(cut)")
  let pieces = stride(from: 0, to: bytes.count, by: length).map {
    bytes[$0..<min($0 + length, bytes.count)]
  }
  check(transcript(pieces) == whole, "pieces of \(length)")
}

/// Small limits, so that short inputs reach them.
private let limits = RequestLimits(
  targetBytesMax: 64, headerBytesMax: 256, fieldsMax: 8, bodyBytesMax: 512,
  chunkExtensionBytesMax: 32, trailerBytesMax: 64)

private func transcript(_ pieces: [ArraySlice<UInt8>]) -> [String] {
  var reader = RequestReader()
  var scratch = ReaderScratch(limits: limits)
  var events: [String] = []
  for piece in pieces {
    let bytes = [UInt8](piece)
    var position = 0
    while true {
      let before = position
      let event = reader.next(bytes.span, at: &position, scratch: &scratch)
      check(before <= position && position <= bytes.count, "position \(position)")
      check(reader.bufferedBytes <= 1024, "\(reader.bufferedBytes) bytes kept")
      if case .incomplete = event {
        check(position == bytes.count, "bytes left behind")
        break
      }
      events.append(describe(event, &reader))
      if case .refused = event {
        check(!reader.isMidRequest, "in the middle of a request that was refused")
        return events
      }
    }
  }
  return events
}

private func describe(_ event: RequestEvent, _ reader: inout RequestReader) -> String {
  switch event {
  case .incomplete: return ""
  case .discarded: return "discarded"
  case .refused(let error):
    // What comes in pieces may be found too long before it is found malformed.
    return [400, 414, 431].contains(error.status) ? "refused" : "refused \(error.status)"
  case .head(let request):
    // Whether a body is kept may not change what follows it.
    if request.path.count.isMultiple(of: 2) { reader.discardBody() }
    return "head " + describe(request)
  case .request(let request):
    check(request.body.count <= limits.bodyBytesMax, "a body of \(request.body.count)")
    return describe(request) + " \(request.body)"
  }
}

private func describe(_ request: HTTPRequest) -> String {
  var lines = ["\(request.method) \(request.version) \(Array(request.target))"]
  lines.append("\(request.keepsAlive) \(request.expectsContinue) \(Array(request.authority ?? []))")
  // With the index of its fields, which says where each name and value is.
  lines.append("\(request.head)")
  for name: StaticString in ["host", "accept", "content-length", "transfer-encoding", "x"] {
    let values = request.fields(name)
    check(values.count <= limits.fieldsMax, "\(values.count) fields")
    check(request.repeats(name) == (values.count > 1), "fields are counted otherwise")
    for value in values {
      check(!value.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a control character")
    }
  }
  return lines.joined(separator: "\n")
}
