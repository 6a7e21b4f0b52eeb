import Glibc

/// Formats times as in RFC 3339, in UTC with milliseconds: `2026-11-22T16:15:03.042Z`.
enum Timestamp {
  static func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(twoDigits)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
    let milliseconds = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
    return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":")).\(milliseconds)Z"
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
