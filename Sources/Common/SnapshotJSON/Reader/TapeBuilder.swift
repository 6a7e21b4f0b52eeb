#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Walks a text's structural offsets, checks the grammar and writes the tape.
///
/// The first stage (`CSimdJSON`) has already verified that the text is UTF-8, and that strings are
/// closed and contain no control characters. It lists the offsets at which structural bytes,
/// strings and scalars begin, and also of bytes that are neither white space nor part of a
/// preceding token. Between a string's closing quote and the next offset, there is therefore only
/// white space, so the quote is found by searching backwards, without reading the string. What
/// remains to be checked is the order of tokens, escapes, numbers, literals and depth.
///
/// If the text is not JSON, `fault` says where it stops to be: in the first token that no JSON text could have
/// there.
///
/// Memory: each offset adds at most one token, so the tape has room for all. No offset is
/// beyond the text, and reads beyond a token hit at worst the zero bytes after the text, or any
/// bytes after the closing bracket that ends it.
@safe struct TapeBuilder {
  private let text: UnsafePointer<UInt8>
  private let count: UInt32
  private let indexes: UnsafePointer<UInt32>
  private let indexCount: Int
  private let tape: UnsafeMutablePointer<Token>
  private let depthMax: Int

  /// The position of the next structural offset.
  private var at = 0
  private(set) var tokenCount: UInt32 = 0
  /// The innermost open container; while it is open, its `next` is its parent.
  private var open = TapeBuilder.none
  private var depth = 0
  /// The offset of the first backslash not yet passed, or `count`.
  private var backslash: UInt32 = 0
  /// The first error, after `build` has returned false.
  private(set) var fault = JSONFault(.value, at: 0)

  private static let none = UInt32.max

  private enum State { case value, firstElement, firstKey, key, afterValue, done }

  /// - Parameters:
  ///   - text: The scanner's copy of the text, followed by zero bytes; or a text that ends with a
  ///     closing bracket, in a buffer with at least 32 more bytes.
  ///   - count: The number of bytes in the text.
  ///   - indexes: The structural offsets, followed by `count`.
  ///   - indexCount: The number of structural offsets.
  ///   - tape: Memory for `indexCount` tokens.
  ///   - depthMax: The maximum nesting of containers.
  @unsafe init(
    text: UnsafePointer<UInt8>, count: UInt32, indexes: UnsafePointer<UInt32>, indexCount: Int,
    tape: UnsafeMutablePointer<Token>, depthMax: Int
  ) {
    unsafe self.text = text
    self.count = count
    unsafe self.indexes = indexes
    self.indexCount = indexCount
    unsafe self.tape = tape
    self.depthMax = depthMax
    findBackslash(from: 0)
  }

  /// Returns whether the text is JSON; if so, the tape has `tokenCount` tokens.
  @inline(never)
  mutating func build() -> Bool {
    // Walking a copy keeps the state in registers; `self` would be in memory.
    var copy = self
    let isValid = copy.walk()
    self = copy
    return isValid
  }

  @inline(__always)
  private mutating func walk() -> Bool {
    var state = State.value
    while at < indexCount {
      let offset = index(at)
      at &+= 1
      let next = index(at)
      let byte = byte(offset)
      switch state {
      case .value:
        guard value(byte, offset, next, &state) else { return false }
      case .firstElement:
        if byte == Byte.closeBracket {
          close(offset, next, &state)
        } else {
          guard value(byte, offset, next, &state) else { return false }
        }
      case .firstKey:
        if byte == Byte.closeBrace {
          close(offset, next, &state)
        } else {
          guard key(byte, offset, next, &state) else { return false }
        }
      case .key:
        guard key(byte, offset, next, &state) else { return false }
      case .afterValue:
        guard separator(byte, offset, next, &state) else { return false }
      case .done:
        return fail(.end, at: offset)
      }
    }
    switch state {
    case .done: return true
    case .value, .firstElement: return fail(.value, at: count)
    case .firstKey, .key: return fail(.name, at: count)
    case .afterValue: return fail(isInObject ? .objectEnd : .arrayEnd, at: count)
    }
  }

  @inline(__always)
  private mutating func fail(_ kind: JSONFault.Kind, at offset: UInt32) -> Bool {
    fault = JSONFault(kind, at: offset)
    return false
  }

  @inline(__always)
  private mutating func value(
    _ byte: UInt8, _ offset: UInt32, _ next: UInt32, _ state: inout State
  ) -> Bool {
    switch byte {
    case Byte.quote:
      guard string(offset, next) else { return false }
    case Byte.openBrace:
      state = .firstKey
      return begin(.object, offset, next)
    case Byte.openBracket:
      state = .firstElement
      return begin(.array, offset, next)
    case Byte.lowerT:
      guard literal(0x6575_7274, .true, offset, offset &+ 4, next) else { return false }
    case Byte.lowerF:
      guard literal(0x736C_6166, .false, offset, offset &+ 5, next) else { return false }
    case Byte.lowerN:
      guard literal(0x6C6C_756E, .null, offset, offset &+ 4, next) else { return false }
    default:
      guard number(byte, offset, next) else { return false }
    }
    state = open == TapeBuilder.none ? .done : .afterValue
    return true
  }

  /// A member's name and colon.
  @inline(__always)
  private mutating func key(
    _ byte: UInt8, _ offset: UInt32, _ next: UInt32, _ state: inout State
  ) -> Bool {
    guard byte == Byte.quote else { return fail(.name, at: offset) }
    guard string(offset, next) else { return false }
    guard at < indexCount, self.byte(next) == Byte.colon else { return fail(.colon, at: next) }
    at &+= 1
    noteGap(next &+ 1, index(at))
    state = .value
    return true
  }

  @inline(__always)
  private mutating func separator(
    _ byte: UInt8, _ offset: UInt32, _ next: UInt32, _ state: inout State
  ) -> Bool {
    let isObject = isInObject
    if byte == Byte.comma {
      noteGap(offset &+ 1, next)
      state = isObject ? .key : .value
      return true
    }
    guard byte == (isObject ? Byte.closeBrace : Byte.closeBracket) else {
      return fail(isObject ? .objectEnd : .arrayEnd, at: offset)
    }
    close(offset, next, &state)
    return true
  }

  /// Whether the innermost open container is an object.
  @inline(__always)
  private var isInObject: Bool {
    unsafe tape[Int(open)].info & Token.kindMask == UInt32(JSONKind.object.rawValue)
  }

  // MARK: Memory

  @inline(__always)
  private func index(_ at: Int) -> UInt32 {
    assert(0...indexCount ~= at, "index \(at) of \(indexCount)")
    return unsafe indexes[at]
  }

  @inline(__always)
  private func byte(_ offset: UInt32) -> UInt8 { byte(Int(offset)) }

  /// At least 32 bytes follow the text.
  @inline(__always)
  private func byte(_ offset: Int) -> UInt8 {
    assert(0..<Int(count) + 32 ~= offset, "byte \(offset) of \(count)")
    return unsafe text[offset]
  }

  // MARK: Containers

  @inline(__always)
  private mutating func begin(_ kind: JSONKind, _ offset: UInt32, _ next: UInt32) -> Bool {
    depth &+= 1
    guard depth <= depthMax else { return fail(.depth, at: offset) }
    unsafe tape[Int(tokenCount)] = Token(
      offset: offset, end: 0, next: open, info: UInt32(kind.rawValue))
    open = tokenCount
    tokenCount &+= 1
    noteGap(offset &+ 1, next)
    return true
  }

  @inline(__always)
  private mutating func close(_ offset: UInt32, _ next: UInt32, _ state: inout State) {
    let parent = unsafe tape[Int(open)].next
    unsafe tape[Int(open)].end = offset &+ 1
    unsafe tape[Int(open)].next = tokenCount
    let flags = unsafe tape[Int(open)].info & (Token.escapes | Token.gaps)
    depth &-= 1
    open = parent
    guard parent != TapeBuilder.none else {
      state = .done
      return
    }
    unsafe tape[Int(parent)].info |= flags
    noteGap(offset &+ 1, next)
    state = .afterValue
  }

  /// Flags the open container if there is white space before its next token.
  @inline(__always)
  private mutating func noteGap(_ end: UInt32, _ next: UInt32) {
    guard end != next, open != TapeBuilder.none else { return }
    unsafe tape[Int(open)].info |= Token.gaps
  }

  // MARK: Scalars

  @inline(__always)
  private mutating func append(_ offset: UInt32, _ end: UInt32, _ info: UInt32) {
    unsafe tape[Int(tokenCount)] = Token(
      offset: offset, end: end, next: tokenCount &+ 1, info: info)
    tokenCount &+= 1
  }

  @inline(__always)
  private mutating func string(_ offset: UInt32, _ next: UInt32) -> Bool {
    var quote = next &- 1
    if byte(quote) != Byte.quote {
      while Byte.isSpace(byte(quote)) { quote &-= 1 }
    }
    guard byte(quote) == Byte.quote, quote > offset else { return fail(.value, at: offset) }
    var info = UInt32(JSONKind.string.rawValue)
    if backslash < quote {
      if let offset = invalidEscape(until: quote) { return fail(.escape, at: offset) }
      findBackslash(from: quote)
      info |= Token.escapes
      if open != TapeBuilder.none { unsafe tape[Int(open)].info |= Token.escapes }
    }
    append(offset, quote &+ 1, info)
    noteGap(quote &+ 1, next)
    return true
  }

  /// Whether the four bytes at `offset` are `word`, the fifth is the last of `false`, and the literal ends at
  /// `end`.
  @inline(__always)
  private mutating func literal(
    _ word: UInt32, _ kind: JSONKind, _ offset: UInt32, _ end: UInt32, _ next: UInt32
  ) -> Bool {
    let bytes = unsafe UnsafeRawPointer(text + Int(offset)).loadUnaligned(as: UInt32.self)
    let differing = UInt32(littleEndian: bytes) ^ word
    guard differing == 0 else {
      return fail(.literal, at: offset &+ UInt32(differing.trailingZeroBitCount / 8))
    }
    guard kind != .false || byte(offset &+ 4) == Byte.lowerE else {
      return fail(.literal, at: offset &+ 4)
    }
    guard isEnd(end, next) else { return fail(.scalarEnd, at: end) }
    append(offset, end, UInt32(kind.rawValue))
    noteGap(end, next)
    return true
  }

  /// Appends a number (RFC 8259 §6): `[ minus ] int [ frac ] [ exp ]`.
  @inline(__always)
  private mutating func number(_ first: UInt8, _ offset: UInt32, _ next: UInt32) -> Bool {
    var info = UInt32(JSONKind.number.rawValue)
    var at = Int(offset)
    if first == Byte.minus { at &+= 1 }
    if byte(at) == Byte.zero {
      at &+= 1
    } else {
      guard digits(&at) else {
        return fail(first == Byte.minus ? .digit : .value, at: UInt32(truncatingIfNeeded: at))
      }
    }
    if byte(at) == Byte.dot {
      at &+= 1
      info |= Token.fractional
      guard digits(&at) else { return fail(.digit, at: UInt32(truncatingIfNeeded: at)) }
    }
    if byte(at) | 0x20 == Byte.lowerE {
      at &+= 1
      info |= Token.fractional
      if byte(at) == Byte.plus || byte(at) == Byte.minus { at &+= 1 }
      guard digits(&at) else { return fail(.digit, at: UInt32(truncatingIfNeeded: at)) }
    }
    let end = UInt32(truncatingIfNeeded: at)
    guard isEnd(end, next) else { return fail(.scalarEnd, at: end) }
    append(offset, end, info)
    noteGap(end, next)
    return true
  }

  @inline(__always)
  private func digits(_ at: inout Int) -> Bool {
    guard Byte.isDigit(byte(at)) else { return false }
    repeat { at &+= 1 } while Byte.isDigit(byte(at))
    return true
  }

  /// Whether a scalar that ends here is followed by a structural byte or white space.
  @inline(__always)
  private func isEnd(_ end: UInt32, _ next: UInt32) -> Bool {
    end == next || (end < next && Byte.isSpace(byte(end)))
  }

  // MARK: Escapes

  @inline(__always)
  private mutating func findBackslash(from start: UInt32) {
    guard let found = unsafe memchr(text + Int(start), Int32(Byte.backslash), Int(count &- start))
    else {
      backslash = count
      return
    }
    backslash = UInt32(truncatingIfNeeded: unsafe UnsafeRawPointer(found) - UnsafeRawPointer(text))
  }

  /// Validates the escapes from the first backslash to the string's closing quote.
  ///
  /// - Returns: The offset of the first byte that makes an escape invalid; nil if all are valid.
  @inline(never)
  private func invalidEscape(until quote: UInt32) -> UInt32? {
    var at = Int(backslash)
    while at < Int(quote) {
      guard byte(at) == Byte.backslash else {
        at &+= 1
        continue
      }
      let rest = unsafe UnsafeBufferPointer(start: text + at, count: Int(quote) &- at)
      guard let length = unsafe JSONText.escapeLength(rest.span) else {
        return UInt32(truncatingIfNeeded: at + (unsafe JSONText.validCount(ofEscape: rest.span)))
      }
      at &+= length
    }
    return nil
  }
}
