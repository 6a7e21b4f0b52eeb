/// Formats times for the `Date` field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public enum HTTPDate {
  /// Returns the whole field line, `Date: …`, with its CRLF.
  public static func line(secondsSince1970 seconds: Int) -> [UInt8] {
    Array("Date: ".utf8) + render(secondsSince1970: seconds) + [0x0D, 0x0A]
  }

  /// Formats seconds since 1970 in 29 bytes, with a four-digit year.
  public static func render(secondsSince1970 seconds: Int) -> [UInt8] {
    let date = UTCDate(secondsSince1970: seconds)
    let day = name(dayNames, date.weekday)
    let month = name(monthNames, date.month - 1)
    return Array(
      "\(day), \(digits(date.day, 2)) \(month) \(digits(date.year, 4)) \(date.time) GMT".utf8)
  }

  /// Formats seconds since 1970 as in RFC 3339: `2026-11-21T12:00:00Z`.
  public static func timestamp(secondsSince1970 seconds: Int64) -> String {
    let date = UTCDate(secondsSince1970: Int(seconds))
    return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T\(date.time)Z"
  }

  private static let dayNames = "SunMonTueWedThuFriSat"
  private static let monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

  private static func name(_ names: String, _ index: Int) -> Substring {
    names.dropFirst(index * 3).prefix(3)
  }
}

/// A moment in the Gregorian calendar, in UTC.
private struct UTCDate {
  let year: Int
  let month: Int
  let day: Int
  /// 0 for Sunday.
  let weekday: Int
  private let secondOfDay: Int

  /// Howard Hinnant's `civil_from_days`; an era is 400 years and begins on 1 March.
  init(secondsSince1970 seconds: Int) {
    let days = Self.floorDivided(seconds, 86_400)
    secondOfDay = seconds - days * 86_400
    weekday = days + 4 - 7 * Self.floorDivided(days + 4, 7)
    let shifted = days + 719_468
    let era = Self.floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// `08:49:37`.
  var time: String {
    [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { digits($0, 2) }
      .joined(separator: ":")
  }

  private static func floorDivided(_ number: Int, _ divisor: Int) -> Int {
    (number >= 0 ? number : number - divisor + 1) / divisor
  }
}

/// Pads a number with leading zeros to a width.
private func digits(_ number: Int, _ width: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}
