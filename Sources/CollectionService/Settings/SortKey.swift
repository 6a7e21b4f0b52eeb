import SnapshotJSON

/// What an item is sorted by, taken out of its content once.
struct SortKey: Comparable {
  private var values: [SortValue]
  private let isDescending: [Bool]
  /// The id, which breaks ties, so that the order is total.
  private let id: [UInt8]

  init(_ item: JSONValue, id: ArraySlice<UInt8>, rules: [SortRule]) {
    values = rules.map { SortValue(item.value(at: $0.path), $0.kind) }
    isDescending = rules.map(\.isDescending)
    self.id = Array(id)
  }

  static func < (lhs: SortKey, rhs: SortKey) -> Bool {
    for (index, isDescending) in lhs.isDescending.enumerated() {
      let (left, right) = (lhs.values[index], rhs.values[index])
      // What has no value comes last, whichever way the others go.
      if left.isNone || right.isNone {
        if left.isNone && right.isNone { continue }
        return right.isNone
      }
      if left == right { continue }
      return isDescending ? right < left : left < right
    }
    return lhs.id.lexicographicallyPrecedes(rhs.id)
  }
}

/// A value to sort by.
private enum SortValue: Comparable {
  case text([UInt8])
  case number(DecimalText)
  case date(Moment)
  case none

  init(_ value: JSONValue?, _ kind: SortRule.Kind) {
    switch kind {
    case .text: self = value?.stringBytes.map(SortValue.text) ?? .none
    case .number:
      let isNumber = value?.kind == .number
      self =
        (isNumber ? value.flatMap { DecimalText($0.rawBytes) } : nil).map(SortValue.number) ?? .none
    case .date: self = value?.stringBytes.flatMap { Moment($0) }.map(SortValue.date) ?? .none
    }
  }

  var isNone: Bool {
    if case .none = self { true } else { false }
  }

  static func < (lhs: SortValue, rhs: SortValue) -> Bool {
    switch (lhs, rhs) {
    // The bytes of UTF-8 are in the order of the scalars.
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    case (.number(let left), .number(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    default: false
    }
  }
}

/// A number by its text, compared without loss: no digit passes through a `Double`.
struct DecimalText: Comparable {
  private var isNegative: Bool
  /// Significant digits, without zeros at either end; empty for zero.
  private var digits: [UInt8]
  /// The value is 0.digits × 10^exponent.
  private var exponent: Int

  /// Reads a JSON number; nil when its exponent has more than nine digits.
  init?(_ text: ArraySlice<UInt8>) {
    isNegative = text.first == UInt8(ascii: "-")
    digits = []
    var point: Int?
    var rest = isNegative ? text.dropFirst() : text
    while let byte = rest.first, byte == UInt8(ascii: ".") || 0x30...0x39 ~= byte {
      if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
      rest = rest.dropFirst()
    }
    exponent = point ?? digits.count
    if !rest.isEmpty {
      guard rest.count <= 11, let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self))
      else { return nil }
      exponent += power
    }
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    exponent -= zeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  static func < (lhs: DecimalText, rhs: DecimalText) -> Bool {
    if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
    return lhs.isNegative ? rhs.isNearerZero(than: lhs) : lhs.isNearerZero(than: rhs)
  }

  private func isNearerZero(than other: DecimalText) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

/// A moment (RFC 3339 §5.6), to whatever fraction of a second it was written.
struct Moment: Comparable {
  private var seconds: Int
  private var fraction: [UInt8]

  /// Reads `2026-11-21T12:00:00.5+01:00`; nil for what is no moment.
  init?(_ text: [UInt8]) {
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= text.count, text[range].allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return nil
      }
      return text[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    func isMark(_ index: Int, _ marks: String) -> Bool {
      index < text.count && marks.utf8.contains(text[index])
    }
    guard let year = number(0..<4), isMark(4, "-"), let month = number(5..<7), isMark(7, "-"),
      let day = number(8..<10), isMark(10, "Tt "), let hour = number(11..<13), isMark(13, ":"),
      let minute = number(14..<16), isMark(16, ":"), let second = number(17..<19),
      1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    var index = 19
    fraction = []
    if isMark(index, ".") {
      fraction = Array(text[20...].prefix { 0x30...0x39 ~= $0 })
      index += 1 + fraction.count
      while fraction.last == 0x30 { fraction.removeLast() }
    }
    var offset = 0
    if isMark(index, "+-") {
      guard let hours = number(index + 1..<index + 3), isMark(index + 3, ":"),
        let minutes = number(index + 4..<index + 6), index + 6 == text.count
      else { return nil }
      offset = (hours * 60 + minutes) * 60 * (text[index] == UInt8(ascii: "-") ? -1 : 1)
    } else {
      guard isMark(index, "Zz"), index + 1 == text.count else { return nil }
    }
    let time = hour * 3600 + minute * 60 + second
    seconds = Self.days(year, month, day) * 86_400 + time - offset
  }

  static func < (lhs: Moment, rhs: Moment) -> Bool {
    if lhs.seconds != rhs.seconds { return lhs.seconds < rhs.seconds }
    return lhs.fraction.lexicographicallyPrecedes(rhs.fraction)
  }

  /// Days since 1970 of a date of the Gregorian calendar (Hinnant, chrono-compatible low-level
  /// date algorithms).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
