import Glibc

/// Reads `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfter {
  private static let secondsMax = 86_400
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the time from now that seconds or a date stand for, at most a day; `nil` for any other text.
  static func delay(_ text: String, now: Int = time(nil)) -> Duration? {
    if let seconds = UInt32(text) { return .seconds(min(Int(seconds), secondsMax)) }
    return date(text).map { .seconds(min(max(0, $0 - now), secondsMax)) }
  }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970.
  private static func date(_ text: String) -> Int? {
    let words = text.split { $0 == " " || $0 == ":" }
    guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let numbers = [1, 3, 4, 5, 6].compactMap { Int32(words[$0]) }
    guard numbers.count == 5, 1970...9999 ~= numbers[1],
      numbers.allSatisfy({ 0...9999 ~= $0 })
    else { return nil }
    var date = tm()
    (date.tm_mday, date.tm_mon, date.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
    (date.tm_hour, date.tm_min, date.tm_sec) = (numbers[2], numbers[3], numbers[4])
    return timegm(&date)
  }
}
