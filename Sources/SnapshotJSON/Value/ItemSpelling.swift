import CSimdJSON

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Tells whether a text begins with an object that is known, though it is written otherwise: its
/// members in another order, or characters in strings with other escapes.
///
/// The known object is valid JSON without white space; of the text nothing is known. Bytes are
/// compared, no hashes, so that what is found has the content of the known object for certain, and is
/// valid itself. What is written otherwise in both ways, or inside of members, is not found.
///
/// Why comparing members' bytes is enough: those of the text are divided at commas outside of
/// strings and brackets. When the known object, which is valid, is made up of just these pieces with a
/// comma between, each piece is one of its members. Members that have one name must keep their
/// order, so that an object with any such is not found.
@safe public struct ItemSpelling: ~Copyable {
  /// Objects with more members are not found in another order.
  private static let membersMax = 32

  private let members: UnsafeMutablePointer<csj_member>
  /// How many members there are.
  private var count = 0
  /// For each member of the known object that was found last, its index in the text: most objects
  /// of a list have the same.
  private let order: UnsafeMutablePointer<UInt8>

  /// For use with one text after the other.
  public init() {
    unsafe members = .allocate(capacity: ItemSpelling.membersMax)
    unsafe order = .allocate(capacity: ItemSpelling.membersMax)
    unsafe order.initialize(repeating: 0, count: ItemSpelling.membersMax)
  }

  deinit {
    unsafe members.deallocate()
    unsafe order.deallocate()
  }

  /// Takes the object that a text begins with.
  ///
  /// - Returns: How many bytes it has; 0 when no object can be told from what is behind it.
  public mutating func take(_ text: Span<UInt8>) -> Int {
    guard !text.isEmpty else {
      count = 0
      return 0
    }
    count = unsafe text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress, unsafe text[0] == Byte.openBrace else { return 0 }
      return unsafe csj_find_members(start, text.count, members, ItemSpelling.membersMax)
    }
    // Brackets are counted, not told apart.
    if count > 0, text[byteCount - 1] != Byte.closeBrace { count = 0 }
    return byteCount
  }

  /// How many bytes the object has that was taken.
  private var byteCount: Int { count == 0 ? 0 : end(count - 1) + 1 }

  /// Whether the object that was taken from `text` is `known`, its members in another order.
  public mutating func isReordered(_ text: Span<UInt8>, _ known: Span<UInt8>) -> Bool {
    guard count > 1, known.count == byteCount, known[0] == Byte.openBrace else { return false }
    var place = 1
    var used: UInt64 = 0
    for index in 0..<count {
      guard let member = member(index, used, at: place, text, known) else { return false }
      unsafe order[index] = UInt8(member)
      used |= 1 << UInt64(member)
      place += length(member) + 1
    }
    return hasDistinctNames(text)
  }

  /// The member of the text that the known object has at a place, as its member `index`.
  private func member(
    _ index: Int, _ used: UInt64, at place: Int, _ text: Span<UInt8>, _ known: Span<UInt8>
  ) -> Int? {
    let closing = index == count - 1 ? Byte.closeBrace : Byte.comma
    let guess = Int(unsafe order[index])
    if guess < count, isMember(guess, used, at: place, closing, text, known) { return guess }
    for member in 0..<count where isMember(member, used, at: place, closing, text, known) {
      return member
    }
    return nil
  }

  /// Whether the known object has a member at a place, which is not yet used.
  @inline(__always)
  private func isMember(
    _ member: Int, _ used: UInt64, at place: Int, _ closing: UInt8, _ text: Span<UInt8>,
    _ known: Span<UInt8>
  ) -> Bool {
    let end = place + length(member)
    return used >> UInt64(member) & 1 == 0 && end < known.count && known[end] == closing
      && isSame(text, start(member), known, place, length(member))
  }

  // MARK: Names

  /// Whether no name occurs twice: by the first eight bytes of each, in full where those are equal.
  private func hasDistinctNames(_ text: Span<UInt8>) -> Bool {
    var seen: UInt64 = 0
    for member in 0..<count {
      let bit: UInt64 = 1 << ((prefix(text, member) &* 0x9E37_79B9_7F4A_7C15) >> 58)
      if seen & bit != 0 { return hasDistinctNamesInFull(text) }
      seen |= bit
    }
    return (0..<count).allSatisfy { !hasEscape(text, $0) }
  }

  @inline(never)
  private func hasDistinctNamesInFull(_ text: Span<UInt8>) -> Bool {
    for member in 0..<count {
      guard !hasEscape(text, member) else { return false }
      for other in 0..<member
      where nameLength(other) == nameLength(member)
        && isSame(text, start(other), text, start(member), nameLength(member))
      {
        return false
      }
    }
    return true
  }

  /// A name that is spelled with escapes may be that of another member.
  private func hasEscape(_ text: Span<UInt8>, _ member: Int) -> Bool {
    for at in start(member)..<start(member) + nameLength(member) where text[at] == Byte.backslash {
      return true
    }
    return false
  }

  /// The first eight bytes of a name with its quotes, as far as it goes.
  private func prefix(_ text: Span<UInt8>, _ member: Int) -> UInt64 {
    let word = text.word(start(member))
    let count = nameLength(member)
    return count >= 8 ? word : word & ~(UInt64.max << UInt64(count * 8))
  }

  // MARK: Members

  private func start(_ member: Int) -> Int { Int(unsafe members[member].start) }
  private func end(_ member: Int) -> Int { Int(unsafe members[member].end) }
  private func length(_ member: Int) -> Int { end(member) - start(member) }
  private func nameLength(_ member: Int) -> Int {
    Int(unsafe members[member].colon) - start(member)
  }

  private func isSame(
    _ lhs: Span<UInt8>, _ start: Int, _ rhs: Span<UInt8>, _ other: Int, _ count: Int
  ) -> Bool {
    precondition(start >= 0 && count <= lhs.count - start, "\(start), \(count) of \(lhs.count)")
    precondition(other >= 0 && count <= rhs.count - other, "\(other), \(count) of \(rhs.count)")
    return unsafe lhs.withUnsafeBytes { lhs in
      unsafe rhs.withUnsafeBytes { rhs in
        guard let one = lhs.baseAddress, let two = rhs.baseAddress else { return count == 0 }
        return unsafe memcmp(one + start, two + other, count) == 0
      }
    }
  }
}

extension Span<UInt8> {
  /// Eight bytes, the first the least significant; zeros behind the end.
  @inline(__always)
  fileprivate func word(_ offset: Int) -> UInt64 {
    guard offset >= 0, offset + 8 <= count else {
      return (0..<8).reduce(0) {
        $0 | (offset + $1 < count ? UInt64(self[offset + $1]) << UInt64(8 * $1) : 0)
      }
    }
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

// MARK: Escapes

/// How many bytes a text begins with that are `known` but for the escapes of characters in strings;
/// nil when it does not begin so.
///
/// Only escapes of characters that need none, and stand nowhere but in strings, may be written as the
/// character: `/` and those that are not ASCII.
///
/// - Parameters:
///   - known: Valid JSON.
///   - text: Any bytes.
/// - Returns: The number of bytes in the text.
/// - Complexity: O(n) in the bytes that are the same.
public func respelledCount(of known: Span<UInt8>, in text: Span<UInt8>) -> Int? {
  var (place, at) = (0, 0)
  while place < known.count {
    if place + 8 <= known.count, at + 8 <= text.count {
      let word = text.word(at)
      if word == known.word(place), !word.hasBackslash {
        place += 8
        at += 8
        continue
      }
    }
    guard at < text.count else { return nil }
    if text[at] == known[place], text[at] != Byte.backslash {
      place += 1
      at += 1
    } else {
      guard let lengths = escapedLengths(known.extracting(place...), text.extracting(at...)) else {
        return nil
      }
      place += lengths.known
      at += lengths.text
    }
  }
  return at
}

extension UInt64 {
  /// Whether one of its bytes is a backslash.
  fileprivate var hasBackslash: Bool {
    let zeros = self ^ 0x5C5C_5C5C_5C5C_5C5C
    return (zeros &- 0x0101_0101_0101_0101) & ~zeros & 0x8080_8080_8080_8080 != 0
  }
}

/// How many bytes the first character has in two strings; nil when it is another, or no escape.
private func escapedLengths(
  _ known: Span<UInt8>, _ text: Span<UInt8>
) -> (known: Int, text: Int)? {
  switch (escape(known), escape(text)) {
  case (let one?, let two?): return one.value == two.value ? (one.length, two.length) : nil
  case (let one?, nil): return plainLength(one.value, text).map { (one.length, $0) }
  case (nil, let two?): return plainLength(two.value, known).map { ($0, two.length) }
  case (nil, nil): return nil
  }
}

private func escape(_ text: Span<UInt8>) -> (value: UInt32, length: Int)? {
  guard text[0] == Byte.backslash, JSONText.escapeLength(text) != nil else { return nil }
  return JSONText.scalar(text, at: 0)
}

/// How many bytes a character has that a text begins with; nil when it does not, or when the
/// character means something outside of strings.
private func plainLength(_ scalar: UInt32, _ text: Span<UInt8>) -> Int? {
  guard scalar >= 0x80 || scalar == UInt32(Byte.slash) else { return nil }
  var length = 0
  var isSame = true
  JSONText.encode(scalar) { byte in
    isSame = isSame && length < text.count && text[length] == byte
    length += 1
  }
  return isSame ? length : nil
}
