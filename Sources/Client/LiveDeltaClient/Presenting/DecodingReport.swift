import DeltaEngine
import LiveCollections

/// The report of apps that pass none: logs the first value that cannot be decoded.
struct DecodingReport: Sendable {
  private let name: String
  private let isDone = Locked(false)

  /// A report on the values of a type.
  init(_ type: Any.Type) { name = "\(type)" }

  func callAsFunction(_ id: ReplicaID, _ error: any Error) {
    guard !isDone.exchange(true) else { return }
    let place = id.text.isEmpty ? "the collection" : "\"\(id.text)\""
    AppLog.warn(
      "\(place) cannot be decoded, and is not shown (\(name)): \(Self.reason(error)). "
        + "Only the first is logged; pass `report` to get all.")
  }

  /// Where and why, without the value.
  private static func reason(_ error: any Error) -> String {
    let context: DecodingError.Context
    switch error as? DecodingError {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    case .keyNotFound(let key, let found):
      return "no member \"\((found.codingPath + [key]).map(\.stringValue).joined(separator: "."))\""
    default: return "\(error)"
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return "\(path.isEmpty ? "" : "\(path): ")\(context.debugDescription)"
  }
}
