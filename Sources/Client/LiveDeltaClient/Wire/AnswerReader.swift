import Foundation
package import SnapshotJSON

/// Decodes responses, turning refusals into errors.
///
/// A reader owns a JSON parser and is used by one thread at a time.
struct AnswerReader {
  // Deeper than any snapshot that the service accepts, as answers wrap sections and items.
  private let reader = JSONReader(depthMax: 128, isPortable: true)

  /// Returns the JSON of a successful response.
  func read(_ answer: ClientResponse) throws(ClientError) -> JSONValue {
    try check(answer)
    do {
      return try reader.read(answer.body).root
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// Throws the problem of an unsuccessful response.
  func check(_ answer: ClientResponse) throws(ClientError) {
    guard !(200..<300).contains(answer.status) else { return }
    var problem = ProblemDetails(
      status: answer.status, code: ProblemDetails.unknownCode, detail: answer.text)
    // What is no problem document keeps its text.
    if let root = reader.root(of: answer.body), root.kind == .object {
      problem = ProblemDetails(root, status: answer.status)
      // The code of anything else is not the service's, whatever it is called.
      if !answer.isProblem { problem.code = ProblemDetails.unknownCode }
    }
    problem.retryAfterSeconds = answer["Retry-After"].flatMap { Int($0) }.map {
      max(0, min($0, 3600))
    }
    throw .problem(problem)
  }
}

extension ClientResponse {
  /// Whether the body is a problem document (RFC 9457), as all refusals of the service are.
  fileprivate var isProblem: Bool {
    let type = (self["Content-Type"] ?? "").prefix { $0 != ";" }
    return type.trimmingCharacters(in: .whitespaces).lowercased() == "application/problem+json"
  }
}

extension ProblemDetails {
  /// The code of an answer that is not a problem of the service, such as the page of a proxy.
  static let unknownCode = "unknown"

  /// Whether the service itself refused, and not something between it and the client.
  var isOfService: Bool { code != Self.unknownCode }

  /// Decodes problem details (RFC 9457); missing or invalid members are left empty.
  package init(_ value: JSONValue, status: Int) {
    self.init(
      status: status, code: value["code"]?.string ?? Self.unknownCode,
      title: value["title"]?.string ?? "", detail: value["detail"]?.string ?? "",
      current: value["current"]?.string, limit: value["limit"]?.int)
    for entry in value["errors"]?.elements.map(\.self) ?? [] {
      let pointer = entry["pointer"]?.string ?? ""
      entries.append(Entry(pointer: pointer, detail: entry["detail"]?.string ?? ""))
    }
  }
}
