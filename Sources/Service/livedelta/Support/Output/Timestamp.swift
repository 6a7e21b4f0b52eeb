import Foundation

/// Times as in RFC 3339, in UTC: `2026-11-22T16:15:03.042Z`.
enum Timestamp {
  static func now() -> String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Returns how long ago a time was, such as `3 minutes ago`; `nil` if the text is no time.
  static func age(of text: String, now: Int = time(nil)) -> String? {
    // An error means a text that is no time, which is shown as it is.
    guard let time = try? Date(text.prefix(19) + "Z", strategy: .iso8601) else { return nil }
    let age = max(0, now - Int(time.timeIntervalSince1970))
    let units = [("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)]
    guard let (name, length) = units.first(where: { age >= $0.1 }) else { return "now" }
    let count = age / length
    return "\(count) \(name)\(count == 1 ? "" : "s") ago"
  }
}
