internal import SnapshotJSON

extension JSONDecimal {
  /// Parses a point in time as seconds since 1970, with any fraction; nil if it is invalid.
  ///
  /// Accepts RFC 3339 (`2026-11-21T12:00:00.5+01:00`) and, from ISO 8601, a day (`2026-11-21`), a
  /// time without seconds, a local time, which is taken as UTC, and an offset without a colon or
  /// minutes. A day that its month does not have is no date, nor is a time with an offset of a day.
  init?(date text: [UInt8]) {
    var reader = DateReader(rest: text[...])
    guard let seconds = reader.seconds() else { return nil }
    let fraction = reader.fraction
    // A time before 1970 is a negative number of whole seconds plus a positive fraction.
    guard seconds < 0, let last = fraction.last else {
      self.init(Array("\(seconds).".utf8)[...] + fraction)
      return
    }
    let complement = fraction.dropLast().map { 0x69 - $0 } + [0x6A - last]
    self.init(Array("-\(-seconds - 1).".utf8)[...] + complement)
  }
}

/// Parses the parts of a date from left to right.
private struct DateReader {
  var rest: ArraySlice<UInt8>
  /// The digits of the fraction of a second, without trailing zeros.
  private(set) var fraction: [UInt8] = []

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  /// The whole seconds since 1970; nil unless the entire text is a date.
  mutating func seconds() -> Int? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      1...12 ~= month, 1...Self.dayCount(year, month) ~= day
    else { return nil }
    let date = Self.days(year, month, day) * 86_400
    if rest.isEmpty { return date }
    guard take("Tt "), let time = time(), let offset = offset(), rest.isEmpty else { return nil }
    return date + time - offset
  }

  private mutating func time() -> Int? {
    guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else {
      return nil
    }
    guard take(":") else { return (hour * 60 + minute) * 60 }
    guard let second = number(2), second <= 60 else { return nil }
    if take(".,") {
      fraction = Array(rest.prefix { 0x30...0x39 ~= $0 })
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count)
      while fraction.last == 0x30 { fraction.removeLast() }
    }
    return (hour * 60 + minute) * 60 + second
  }

  private mutating func offset() -> Int? {
    if rest.isEmpty || take("Zz") { return 0 }
    let sign = take("+") ? 1 : -1
    guard sign > 0 || take("-"), let hours = number(2), hours < 24 else { return nil }
    if rest.isEmpty { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }

  private mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Consumes one of some characters.
  private mutating func take(_ marks: String) -> Bool {
    guard let byte = rest.first, marks.utf8.contains(byte) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// The number of days of a month in the Gregorian calendar.
  private static func dayCount(_ year: Int, _ month: Int) -> Int {
    days(month == 12 ? year + 1 : year, month % 12 + 1, 1) - days(year, month, 1)
  }

  /// The days since 1970 of a date in the Gregorian calendar (Hinnant, chrono-compatible low-level
  /// date algorithms).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
