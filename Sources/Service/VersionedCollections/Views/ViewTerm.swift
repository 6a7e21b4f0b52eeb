package import SnapshotJSON

/// A condition on an item: one `where` of a view.
package struct ViewTerm: Hashable, Sendable {
  /// What is asked about the value; the raw value is the word in the protocol.
  package enum Operator: String, CaseIterable, Sendable {
    case equal = "eq"
    case notEqual = "ne"
    case less = "lt"
    case lessOrEqual = "le"
    case greaterOrEqual = "ge"
    case greater = "gt"
    /// Whether it equals one of several values.
    case among = "in"
    /// Whether it is a text that begins with another.
    case prefix
    /// Whether it is an array that contains a value.
    case has
    case exists
    case absent

    var hasValue: Bool { self != .exists && self != .absent }

    /// Whether it compares a value with another one.
    var isComparison: Bool {
      switch self {
      case .equal, .notEqual, .less, .lessOrEqual, .greaterOrEqual, .greater: true
      case .among, .prefix, .has, .exists, .absent: false
      }
    }

    /// Whether a comparison holds for an order: less (-1), equal (0) or greater (1).
    func holds(_ order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greaterOrEqual: order >= 0
      case .greater: order > 0
      case .among, .prefix, .has, .exists, .absent: false
      }
    }
  }

  /// Where the value is in an item.
  package let pointer: JSONPointer
  package let `operator`: Operator
  /// The value, those of `in` without repetitions, or none.
  let values: [ViewValue]
  /// The one text of all equal terms, which gives this term when it is parsed.
  package let canonical: String
  /// The digests of the values of `in`, in ascending order, and which value has each.
  private let digests: [(digest: UInt64, value: Int)]

  init(_ pointer: JSONPointer, _ operator: Operator, _ values: [ViewValue] = []) {
    self.pointer = pointer
    self.operator = `operator`
    let isAmong = `operator` == .among
    var texts = values.map { (text: $0.canonical, value: $0) }
    if isAmong {
      texts.sort { $0.text.lexicographicallyPrecedes($1.text) }
      texts = texts.enumerated().filter { $0 == 0 || texts[$0 - 1].text != $1.text }.map(\.element)
    }
    self.values = texts.map(\.value)
    digests =
      isAmong
      ? texts.enumerated().map { index, value in
        var digests = ValueDigests()
        return (digests.digest(of: value.text.span), index)
      }.sorted { $0.digest < $1.digest } : []
    var text = "\(pointer):\(`operator`.rawValue)"
    if `operator`.hasValue {
      let list = texts.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: ",")
      text += isAmong ? ":[\(list)]" : ":\(list)"
    }
    canonical = text
  }

  package static func == (one: ViewTerm, other: ViewTerm) -> Bool {
    one.canonical == other.canonical
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

  /// The approximate size in bytes: the one text, as such and in the values, and what each of these takes beside it.
  var byteCount: Int {
    256 + 2 * canonical.utf8.count + 96 * values.count + 48 * pointer.tokens.count
  }

  /// Whether an item satisfies the term.
  ///
  /// - Parameters:
  ///   - value: The item's value at the pointer.
  ///   - reader: Reads an array or object that is probably equal to one of the term.
  /// - Returns: Whether it does.
  /// - Complexity: O(*n*), where *n* is the number of bytes in the value.
  func holds(_ value: ItemValue, _ reader: JSONReader) -> Bool {
    if case .missing = value { return self.operator == .absent || self.operator == .notEqual }
    return switch self.operator {
    case .equal: values[0].isEqual(to: value, reader)
    case .notEqual: !values[0].isEqual(to: value, reader)
    case .less, .lessOrEqual, .greaterOrEqual, .greater: isInOrder(value)
    case .among: isAmong(value, reader)
    case .prefix: values[0].isPrefix(of: value.json)
    case .has: has(value.json, reader)
    case .exists: true
    case .absent: false
    }
  }

  private func isInOrder(_ value: ItemValue) -> Bool {
    switch (value, values[0]) {
    case (.integer(let integer), .number(let number)):
      guard let bound = number.integer else {
        return self.operator.holds(number.order(of: Array(String(integer).utf8)[...]))
      }
      return self.operator.holds(integer < bound ? -1 : integer > bound ? 1 : 0)
    case (.text(let json), _): return values[0].order(of: json).map(self.operator.holds) ?? false
    default: return false
    }
  }

  /// Whether a value equals one of the term, of which few have its digest.
  private func isAmong(_ value: ItemValue, _ reader: JSONReader) -> Bool {
    guard let digest = value.digest else { return false }
    var range = 0..<digests.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        digests[middle].digest < digest
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return digests[range.lowerBound...].prefix { $0.digest == digest }
      .contains { values[$0.value].isEqual(to: value, reader) }
  }

  private func has(_ json: ArraySlice<UInt8>, _ reader: JSONReader) -> Bool {
    guard !json.isEmpty, RawJSON.kind(of: json.span) == .array else { return false }
    var digests = ValueDigests()
    return RawJSON.contains(json.span) { range in
      let start = json.startIndex
      let element = json[start + range.lowerBound..<start + range.upperBound]
      guard values[0].mayEqual(element) else { return false }
      return values[0].isEqual(to: ItemValue(element, &digests), reader)
    }
  }
}

extension [ViewTerm] {
  /// The terms in the order of their canonical texts, none twice.
  var canonicalized: [ViewTerm] {
    Set(self).sorted { $0.canonical.utf8.lexicographicallyPrecedes($1.canonical.utf8) }
  }
}
