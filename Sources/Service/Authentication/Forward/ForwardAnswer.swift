/// The backend's answer: 2xx is yes; 401, 403 and 404 are no; any other status is no answer.
package struct ForwardAnswer: Sendable {
  package let status: Int
  /// Seconds that the verdict may be cached.
  let seconds: Int64
  /// The restriction of the caller; nil if it sees everything.
  let view: ImposedView?

  /// The most seconds that a verdict is cached.
  static let secondsMax: Int64 = 60

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - cacheControl: The `Cache-Control` field; without `max-age` the verdict is not cached.
  ///   - age: The `Age` field, in seconds.
  ///   - views: The values of the `LiveDelta-View` fields; more than one refuses.
  package init(
    status: Int, cacheControl: String? = nil, age: String? = nil, views: [String] = []
  ) {
    self.status = status
    view = ImposedView(fields: views)
    let fresh = min(Self.secondsMax, Self.freshness(cacheControl ?? ""))
    let age = age.map { Int64($0) ?? fresh } ?? 0
    seconds = max(0, fresh - min(max(0, age), fresh))
  }

  /// The least `max-age`; 0 without one, and with `no-store` or `no-cache` (RFC 9111 §5.2.2).
  private static func freshness(_ field: String) -> Int64 {
    var least: Int64?
    for directive in field.lowercased().split(separator: ",") {
      let words = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
      switch words.first {
      case "no-store", "no-cache": return 0
      case "max-age":
        let seconds = words.count == 2 ? Int64(words[1].filter { $0 != "\"" }) : nil
        least = min(least ?? .max, seconds ?? 0)
      default: continue
      }
    }
    return max(0, least ?? 0)
  }

  /// Why the caller is refused; nil for a yes.
  var refusal: Refusal? {
    switch status {
    case 200...299: nil
    case 401: .badCredential
    case 403, 404: .insufficientScope
    default: .unavailable
    }
  }
}
