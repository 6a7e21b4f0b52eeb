/// Finds the first error in a text that the fast reader has rejected, and its offset.
///
/// It is a simple byte-by-byte automaton, independent of the fast path, and runs only on invalid
/// texts. The offset it reports is that of the first byte that no valid JSON text could have there.
struct FaultLocator {
  private let text: [UInt8]
  private let depthMax: Int
  private var at = 0
  /// Whether each open container is an object, outermost first.
  private var isObject: [Bool] = []

  /// Returns the first error; nil if the text is valid.
  static func fault(in text: [UInt8], depthMax: Int) -> JSONError? {
    var locator = FaultLocator(text: text, depthMax: depthMax)
    do throws(JSONError) {
      try locator.document()
      return nil
    } catch {
      return error
    }
  }

  private init(text: [UInt8], depthMax: Int) {
    self.text = text
    self.depthMax = depthMax
  }

  /// The byte at the cursor; nil at the end.
  private var byte: UInt8? { at < text.count ? text[at] : nil }

  private func fail(_ reason: String) -> JSONError {
    let found = at < text.count ? "" : "; the text ends here"
    return .syntax(offset: at, reason: reason + found)
  }

  private mutating func skipSpace() {
    while let byte, Byte.isSpace(byte) { at += 1 }
  }

  private mutating func document() throws(JSONError) {
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
      throw fail("a byte order mark; JSON is sent without one")
    }
    repeat { try value() } while try !finishesContainers()
    if byte != nil { throw fail("more text behind the end of the value") }
  }

  /// Reads a scalar, or opens containers up to the first scalar or empty container.
  private mutating func value() throws(JSONError) {
    while true {
      skipSpace()
      guard let byte else { throw fail("expected a value") }
      switch byte {
      case Byte.openBrace, Byte.openBracket:
        try open(byte)
        if isEmptyContainer() { return }
        if byte == Byte.openBrace { try name() }
      case Byte.quote: return try string()
      case Byte.minus, Byte.zero...Byte.nine: return try number()
      case Byte.lowerT: return try literal("true")
      case Byte.lowerF: return try literal("false")
      case Byte.lowerN: return try literal("null")
      default: throw fail("expected a value")
      }
    }
  }

  private mutating func open(_ byte: UInt8) throws(JSONError) {
    guard isObject.count < depthMax else { throw .tooDeep(offset: at, limit: depthMax) }
    isObject.append(byte == Byte.openBrace)
    at += 1
    skipSpace()
  }

  /// Whether the container just opened is empty; `finishesContainers` consumes the bracket.
  private func isEmptyContainer() -> Bool {
    byte == (isObject.last == true ? Byte.closeBrace : Byte.closeBracket)
  }

  /// Closes containers that end here; false if a comma requires another value.
  private mutating func finishesContainers() throws(JSONError) -> Bool {
    skipSpace()
    while let inObject = isObject.last {
      let closing = inObject ? Byte.closeBrace : Byte.closeBracket
      switch byte {
      case closing:
        isObject.removeLast()
        at += 1
        skipSpace()
      case Byte.comma:
        at += 1
        skipSpace()
        if inObject { try name() }
        return false
      default:
        throw fail(inObject ? "expected ',' or '}'" : "expected ',' or ']'")
      }
    }
    return true
  }

  private mutating func name() throws(JSONError) {
    guard byte == Byte.quote else { throw fail("expected a member name in quotes") }
    try string()
    skipSpace()
    guard byte == Byte.colon else { throw fail("expected ':'") }
    at += 1
  }

  private mutating func literal(_ word: String) throws(JSONError) {
    for expected in word.utf8 {
      guard byte == expected else { throw fail("expected \(word)") }
      at += 1
    }
    try endOfScalar()
  }

  /// Validates a number (RFC 8259 §6).
  private mutating func number() throws(JSONError) {
    if byte == Byte.minus { at += 1 }
    if byte == Byte.zero { at += 1 } else { try digits() }
    if byte == Byte.dot {
      at += 1
      try digits()
    }
    if byte == Byte.lowerE || byte == Byte.upperE {
      at += 1
      if byte == Byte.plus || byte == Byte.minus { at += 1 }
      try digits()
    }
    try endOfScalar()
  }

  private mutating func digits() throws(JSONError) {
    guard let first = byte, Byte.isDigit(first) else { throw fail("expected a digit") }
    while let byte, Byte.isDigit(byte) { at += 1 }
  }

  private func endOfScalar() throws(JSONError) {
    guard let byte, !Byte.isSpace(byte) else { return }
    let mayFollow = [Byte.comma, Byte.closeBrace, Byte.closeBracket].contains(byte)
    if !mayFollow { throw fail("a number or literal does not go on like this") }
  }
}

// MARK: Strings

extension FaultLocator {
  private mutating func string() throws(JSONError) {
    at += 1
    while let byte {
      switch byte {
      case Byte.quote:
        at += 1
        return
      case Byte.backslash:
        try escape()
      case ..<0x20:
        throw fail("a control character in a string must be escaped")
      case ..<0x80:
        at += 1
      default:
        try multibyte(byte)
      }
    }
    throw fail("the string is not closed")
  }

  private mutating func escape() throws(JSONError) {
    at += 1
    switch byte {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.lowerB, Byte.lowerF, Byte.lowerN,
      Byte.lowerR, Byte.lowerT:
      at += 1
    case Byte.lowerU:
      at += 1
      try unicodeEscape()
    default:
      throw fail("no such escape")
    }
  }

  /// The four digits after `\u`, and the second escape if they begin a surrogate pair.
  private mutating func unicodeEscape() throws(JSONError) {
    let isSurrogate = try hexDigit(0...15) == 0xD
    guard isSurrogate else { return try hexDigits(3) }
    // \uDC00…\uDFFF must not come first.
    let second = try hexDigit(0...0xB, "the second half of a surrogate pair comes alone")
    try hexDigits(2)
    guard second >= 8 else { return }
    for expected in [Byte.backslash, Byte.lowerU] {
      guard byte == expected else { throw fail("half of a surrogate pair is missing") }
      at += 1
    }
    _ = try hexDigit(0xD...0xD, "half of a surrogate pair is missing")
    _ = try hexDigit(0xC...0xF, "half of a surrogate pair is missing")
    try hexDigits(2)
  }

  private mutating func hexDigits(_ count: Int) throws(JSONError) {
    for _ in 0..<count { _ = try hexDigit(0...15) }
  }

  private mutating func hexDigit(
    _ allowed: ClosedRange<UInt32>, _ reason: String = "expected a hexadecimal digit"
  ) throws(JSONError) -> UInt32 {
    guard let byte, let digit = Byte.hexValue(byte) else {
      throw fail("expected a hexadecimal digit")
    }
    guard allowed.contains(digit) else { throw fail(reason) }
    at += 1
    return digit
  }

  /// Validates a scalar of two to four bytes, well-formed by table 3-7 of the Unicode standard.
  private mutating func multibyte(_ lead: UInt8) throws(JSONError) {
    let second: ClosedRange<UInt8>
    let tail: Int
    switch lead {
    case 0xC2...0xDF: (second, tail) = (0x80...0xBF, 0)
    case 0xE0: (second, tail) = (0xA0...0xBF, 1)
    case 0xED: (second, tail) = (0x80...0x9F, 1)
    case 0xE1...0xEF: (second, tail) = (0x80...0xBF, 1)
    case 0xF0: (second, tail) = (0x90...0xBF, 2)
    case 0xF1...0xF3: (second, tail) = (0x80...0xBF, 2)
    case 0xF4: (second, tail) = (0x80...0x8F, 2)
    default: throw fail("not UTF-8")
    }
    at += 1
    try continuation(second)
    for _ in 0..<tail { try continuation(0x80...0xBF) }
  }

  private mutating func continuation(_ allowed: ClosedRange<UInt8>) throws(JSONError) {
    guard let byte, allowed.contains(byte) else { throw fail("not UTF-8") }
    at += 1
  }
}
