/// A moment at which a credential ends, in whole seconds since 1970.
public enum ExpiryDate {
  /// Reads `2027-01-31T12:00:00Z` or `2027-01-31`, which is its beginning; nil for anything else, also
  /// for days that the calendar lacks.
  public static func seconds(_ text: String) -> Int64? {
    let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
    let bytes = Array(whole.utf8)
    guard bytes.count == 20 else { return nil }
    let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { number(bytes[$0]) }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard 1...12 ~= month, 1...31 ~= day, 1970...9999 ~= year else { return nil }
    let clock = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    let seconds = days(year, month, day) * 86_400 + clock
    // Whatever else is wrong with it makes another text.
    return self.text(seconds) == whole ? seconds : nil
  }

  /// The moment as `2027-01-31T12:00:00Z`; it is not before 1970.
  public static func text(_ seconds: Int64) -> String {
    let (day, clock) = (seconds / 86_400, seconds % 86_400)
    let shifted = day + 719_468
    let era = shifted / 146_097
    let ofEra = shifted % 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * ofYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-\(two(month))-\(two(ofYear - (153 * march + 2) / 5 + 1))T"
      + "\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))Z"
  }

  /// The days from 1970 on, by years that begin in March, so that leap days come last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (year / 400, year % 400)
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  /// The value of decimal digits; -1 if there is anything else.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
    digits.reduce(0) { number, digit in
      number < 0 || !(0x30...0x39 ~= digit) ? -1 : number * 10 + Int64(digit - 0x30)
    }
  }

  private static func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
