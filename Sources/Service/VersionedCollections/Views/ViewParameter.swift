import SnapshotJSON

/// The text of one parameter of a view, to be parsed.
struct ViewParameter {
  let name: String
  /// Which of several with that name it is.
  let index: Int
  let text: [UInt8]
  let limits: ViewLimits

  init(_ name: String, _ index: Int, _ text: String, _ limits: ViewLimits) {
    (self.name, self.index, self.limits) = (name, index, limits)
    self.text = Array(text.utf8)
  }

  func fault(at offset: Int, _ detail: String, limit: Int? = nil) -> ViewError {
    ViewError(parameter: name, index: index, offset: offset, detail: detail, limit: limit)
  }

  private static let colon = UInt8(ascii: ":")

  func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  /// The ranges between separators in a part of the text.
  func parts(_ range: Range<Int>, _ separator: UInt8) -> [Range<Int>] {
    text[range].split(separator: separator, omittingEmptySubsequences: false).map(\.indices)
  }

  // MARK: Pointers

  func pointer(_ range: Range<Int>) throws(ViewError) -> JSONPointer {
    guard range.count <= limits.pointerBytesMax else {
      throw fault(
        at: range.lowerBound + limits.pointerBytesMax,
        "a pointer has at most \(limits.pointerBytesMax) bytes", limit: limits.pointerBytesMax)
    }
    guard let pointer = JSONPointer(string(range)) else {
      throw fault(
        at: invalidOffset(range), "expected a JSON pointer (RFC 6901), such as /unread")
    }
    guard pointer.tokens.count <= limits.pointerTokensMax else {
      throw fault(
        at: range.lowerBound, "a pointer has at most \(limits.pointerTokensMax) tokens",
        limit: limits.pointerTokensMax)
    }
    return pointer
  }

  /// Where a text stops being a JSON pointer.
  private func invalidOffset(_ range: Range<Int>) -> Int {
    guard text[range].first == UInt8(ascii: "/") else { return range.lowerBound }
    return range.first { at in
      text[at] == UInt8(ascii: "~")
        && !(range.contains(at + 1) && [0x30, 0x31].contains(text[at + 1]))
    } ?? range.lowerBound
  }

  /// Parses `POINTER,POINTER…`.
  func selection() throws(ViewError) -> ViewSelection {
    let parts = parts(text.indices, UInt8(ascii: ","))
    guard parts.count <= limits.selectedMax else {
      throw fault(
        at: parts[limits.selectedMax].lowerBound,
        "at most \(limits.selectedMax) pointers, not \(parts.count)", limit: limits.selectedMax)
    }
    var pointers: [JSONPointer] = []
    for part in parts {
      guard !part.isEmpty else {
        throw fault(
          at: part.lowerBound, "expected pointers separated by commas, such as /id,/title")
      }
      pointers.append(try pointer(part))
    }
    return ViewSelection(pointers)
  }

  // MARK: Terms

  /// Parses `POINTER:OP[:VALUE]`.
  ///
  /// A pointer may have colons: it ends at the first one that an operator follows.
  func term(_ reader: JSONReader) throws(ViewError) -> ViewTerm {
    guard text.count <= limits.termBytesMax else {
      throw fault(
        at: limits.termBytesMax, "a term has at most \(limits.termBytesMax) bytes",
        limit: limits.termBytesMax)
    }
    let parts = parts(text.indices, Self.colon)
    guard parts.count > 1 else {
      throw fault(at: text.count, "expected POINTER:OP:VALUE, such as /unread:eq:true")
    }
    for part in parts.dropFirst() {
      guard let word = ViewTerm.Operator(rawValue: string(part)) else { continue }
      let pointer = try pointer(0..<part.lowerBound - 1)
      return ViewTerm(pointer, word, try values(of: word, behind: part.upperBound, reader))
    }
    let words = ViewTerm.Operator.allCases.map(\.rawValue)
    let word = string(parts[1])
    throw fault(
      at: parts[1].lowerBound,
      "there is no operator \(word.prefix(64))" + JSONValue.suggestion(for: word, among: words))
  }

  /// Parses the value of a term, which follows its operator.
  private func values(
    of word: ViewTerm.Operator, behind end: Int, _ reader: JSONReader
  ) throws(ViewError) -> [ViewValue] {
    guard word.hasValue else {
      guard end == text.count else { throw fault(at: end, "\(word.rawValue) takes no value") }
      return []
    }
    guard end < text.count else {
      throw fault(at: end, "\(word.rawValue) takes a value: expected ':' and JSON or a text")
    }
    let start = end + 1
    let json = try json(from: start, reader)
    if word == .among { return try values(of: json, at: start) }
    let value = json.map { ViewValue($0) } ?? .text(Array(text[start...]))
    switch (word, value) {
    case (.prefix, .text), (.less, .text), (.lessOrEqual, .text), (.greaterOrEqual, .text),
      (.greater, .text), (.less, .number), (.lessOrEqual, .number), (.greaterOrEqual, .number),
      (.greater, .number), (.equal, _), (.notEqual, _), (.has, _):
      return [value]
    case (.prefix, _):
      throw fault(
        at: start, "prefix takes a text; one that is JSON too is given in quotes, such as \"5\"")
    default:
      throw fault(
        at: start, "\(word.rawValue) takes a number or a text; only eq and ne take others")
    }
  }

  /// The elements of the array that `in` takes.
  private func values(of json: JSONValue?, at start: Int) throws(ViewError) -> [ViewValue] {
    guard let json, json.kind == .array else {
      throw fault(at: start, "in takes a JSON array, such as [1,2]")
    }
    let elements = Array(json.elements)
    guard elements.count <= limits.valuesMax else {
      throw fault(
        at: start + elements[limits.valuesMax].range.lowerBound,
        "in takes at most \(limits.valuesMax) values, not \(elements.count)",
        limit: limits.valuesMax)
    }
    return elements.map { ViewValue($0) }
  }

  /// The rest of the text as JSON; nil if it is none.
  private func json(from start: Int, _ reader: JSONReader) throws(ViewError) -> JSONValue? {
    do throws(JSONError) {
      return try reader.read(Array(text[start...])).root
    } catch {
      guard case .tooDeep(let offset, let limit) = error else { return nil }
      throw fault(at: start + offset, "nested deeper than \(limit)", limit: limit)
    }
  }
}
