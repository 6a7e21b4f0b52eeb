/// Renders times as the field `Date` wants them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public enum HTTPDate {
  /// Renders the whole field line, `Date: …` with its CRLF.
  public static func line(secondsSince1970 seconds: Int) -> [UInt8] {
    Array("Date: ".utf8) + render(secondsSince1970: seconds) + [0x0D, 0x0A]
  }

  /// Renders the seconds since 1970 that a clock shows, 29 bytes.
  ///
  /// The calendar is Howard Hinnant's `civil_from_days`, for the years 1970 to 9999.
  public static func render(secondsSince1970 seconds: Int) -> [UInt8] {
    let days = seconds / 86_400
    let second = seconds % 86_400
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

    var text: [UInt8] = []
    text.reserveCapacity(29)
    text.append(contentsOf: name(dayNames, (days + 4) % 7))
    text.append(contentsOf: ", ".utf8)
    text.appendDigits(day, count: 2)
    text.append(0x20)
    text.append(contentsOf: name(monthNames, month - 1))
    text.append(0x20)
    text.appendDigits(year, count: 4)
    text.append(0x20)
    text.appendDigits(second / 3600, count: 2)
    text.append(UInt8(ascii: ":"))
    text.appendDigits(second / 60 % 60, count: 2)
    text.append(UInt8(ascii: ":"))
    text.appendDigits(second % 60, count: 2)
    text.append(contentsOf: " GMT".utf8)
    return text
  }

  private static let dayNames = "SunMonTueWedThuFriSat"
  private static let monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

  private static func name(_ names: String, _ index: Int) -> String.UTF8View.SubSequence {
    names.utf8.dropFirst(index * 3).prefix(3)
  }
}

extension [UInt8] {
  /// Appends the last `count` decimal digits of a number.
  fileprivate mutating func appendDigits(_ number: Int, count: Int) {
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}
