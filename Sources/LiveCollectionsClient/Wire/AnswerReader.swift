import SnapshotJSON

/// Turns answers into values, refusals into errors.
///
/// It owns a JSON parser and is used by one thread at a time.
struct AnswerReader {
  // Deeper than any snapshot the service takes, for answers put sections and items around it.
  private let reader = JSONReader(depthMax: 128)

  /// The JSON of an answer that is no refusal.
  func read(_ answer: ClientResponse) throws(ClientError) -> WireValue {
    try check(answer)
    do {
      return WireValue(try reader.read(answer.body).root)
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// Throws what a refusal says.
  func check(_ answer: ClientResponse) throws(ClientError) {
    guard !(200..<300).contains(answer.status) else { return }
    guard let document = try? reader.read(answer.body), document.root.kind == .object else {
      throw .problem(ProblemDetails(status: answer.status, code: "unknown", detail: answer.text))
    }
    throw .problem(ProblemDetails(document.root, status: answer.status))
  }
}
