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

  init(_ pointer: JSONPointer, _ operator: Operator, _ values: [ViewValue] = []) {
    self.pointer = pointer
    self.operator = `operator`
    self.values =
      `operator` == .among
      ? Set(values).sorted { $0.canonical.lexicographicallyPrecedes($1.canonical) } : values
  }

  /// Whether an item satisfies the term.
  ///
  /// - Parameters:
  ///   - json: The text of the item's value at the pointer, minified; nil if it has none.
  ///   - reader: Reads the value where it is an array or object that is to be compared as a whole.
  /// - Returns: Whether the value satisfies it.
  /// - Complexity: O(*n*), where *n* is the number of bytes in the value.
  func holds(_ json: ArraySlice<UInt8>?, _ reader: JSONReader) -> Bool {
    guard let json else { return self.operator == .absent || self.operator == .notEqual }
    func isEqual(_ value: ViewValue) -> Bool { value.isEqual(to: json, reader) }
    return switch self.operator {
    case .equal: isEqual(values[0])
    case .notEqual: !isEqual(values[0])
    case .less, .lessOrEqual, .greaterOrEqual, .greater:
      values[0].order(of: json).map(self.operator.holds) ?? false
    case .among: values.contains(where: isEqual)
    case .prefix: values[0].isPrefix(of: json)
    case .has: has(json, reader)
    case .exists: true
    case .absent: false
    }
  }

  /// The integer that values are compared with, where one decides.
  var integer: Int? {
    guard self.operator.isComparison, case .number(let number)? = values.first else { return nil }
    return number.integer
  }

  private func has(_ json: ArraySlice<UInt8>, _ reader: JSONReader) -> Bool {
    guard RawJSON.kind(of: json.span) == .array else { return false }
    return RawJSON.contains(json.span) { range in
      let start = json.startIndex
      return values[0].isEqual(
        to: json[start + range.lowerBound..<start + range.upperBound], reader)
    }
  }

  /// The one text of all equal terms, which gives this term when it is parsed.
  package var canonical: String {
    var text = "\(pointer):\(self.operator.rawValue)"
    guard self.operator.hasValue else { return text }
    var writer = JSONWriter()
    if self.operator == .among {
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    } else {
      values[0].write(to: &writer)
    }
    text += ":" + String(decoding: writer.bytes, as: UTF8.self)
    return text
  }
}

extension [ViewTerm] {
  /// The terms in the order of their canonical texts, none twice.
  var canonicalized: [ViewTerm] {
    Set(self).sorted { $0.canonical.utf8.lexicographicallyPrecedes($1.canonical.utf8) }
  }
}
