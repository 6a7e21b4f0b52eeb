#if Server
  import CSimdJSON

  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  /// Recognizes a known object at the start of a text even if it is spelled differently: with its
  /// members in another order, or with other escapes in strings.
  ///
  /// The known object must be valid JSON without white space; the text may be anything. Bytes are
  /// compared, not hashes, so a match is valid JSON and certain to be equal. Objects that differ
  /// in both ways, or inside members, are not recognized.
  ///
  /// Comparing members' bytes is sufficient: the text is divided at commas outside of strings and
  /// brackets. If the known object, which is valid, consists of exactly these pieces joined by
  /// commas, each piece is one of its members. Because members with the same name must keep their
  /// order, objects with repeated names are not recognized.
  @safe public struct ItemSpelling: ~Copyable {
    /// The most members of an object recognized in another order.
    private static let membersMax = 32

    private let members: UnsafeMutablePointer<csj_member>
    /// The names of the members of the last known object without nested values.
    private var names = csj_names()
    /// The number of members.
    private var count = 0
    /// Whether the object may contain escapes.
    private var mayHaveEscapes = true

    /// Creates a matcher, to be reused for any number of texts.
    public init() {
      unsafe members = .allocate(capacity: ItemSpelling.membersMax)
    }

    deinit { unsafe members.deallocate() }

    /// Finds the end and the members of the object at the start of a text.
    ///
    /// - Returns: The length of the object in bytes; 0 if its end cannot be determined.
    public mutating func take(_ text: Span<UInt8>) -> Int {
      guard !text.isEmpty else {
        count = 0
        return 0
      }
      count = unsafe text.withUnsafeBufferPointer { text in
        guard let start = text.baseAddress, unsafe text[0] == Byte.openBrace else { return 0 }
        return unsafe csj_find_members(
          start, text.count, members, ItemSpelling.membersMax, &mayHaveEscapes)
      }
      // Brackets are counted, but their kinds are not distinguished.
      if count > 0, text[byteCount - 1] != Byte.closeBrace { count = 0 }
      return byteCount
    }

    /// The length of the current object in bytes.
    private var byteCount: Int { count == 0 ? 0 : end(count - 1) + 1 }

    /// Whether the current object, from `text`, is `known` with its members in another order.
    public func isReordered(_ text: Span<UInt8>, _ known: Span<UInt8>) -> Bool {
      guard count > 1, known.count == byteCount, text.count >= byteCount else { return false }
      let isReordered = unsafe text.withUnsafeBufferPointer { text in
        unsafe known.withUnsafeBufferPointer { known in
          guard let start = text.baseAddress, let other = known.baseAddress else { return false }
          return unsafe csj_is_reordered(start, known.count, members, count, other)
        }
      }
      return isReordered && hasDistinctNames(text)
    }

    /// Whether a text begins with `known` with its members in another order, if no value is an array or
    /// an object: faster than `take` and `isReordered`, and needs neither.
    ///
    /// False also for what is not recognized: see `csj_is_flat_reordered`.
    ///
    /// - Parameters:
    ///   - text: Any bytes.
    ///   - known: Valid JSON without white space, and what may be read behind it.
    ///   - count: The length of the known object in bytes.
    /// - Returns: True if the first `count` bytes of the text are the known object, reordered.
    public mutating func isFlatReordered(
      _ text: Span<UInt8>, _ known: Span<UInt8>, count: Int
    ) -> Bool {
      precondition(count >= 0 && count <= known.count, "\(count) of \(known.count)")
      return unsafe text.withUnsafeBufferPointer { text in
        unsafe known.withUnsafeBufferPointer { known in
          guard let start = text.baseAddress, let other = known.baseAddress else { return false }
          return unsafe csj_is_flat_reordered(
            start, text.count, other, known.count, count, &names)
        }
      }
    }

    // MARK: Names

    /// Whether all names are distinct and without escapes; compares them in full only if their
    /// prefixes have equal hashes.
    private func hasDistinctNames(_ text: Span<UInt8>) -> Bool {
      var seen: UInt64 = 0
      for member in 0..<count {
        let bit: UInt64 = 1 << ((prefix(text, member) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if seen & bit != 0 { return hasDistinctNamesInFull(text) }
        seen |= bit
      }
      return !mayHaveEscapes || (0..<count).allSatisfy { !hasEscape(text, $0) }
    }

    @inline(never)
    private func hasDistinctNamesInFull(_ text: Span<UInt8>) -> Bool {
      for member in 0..<count {
        guard !mayHaveEscapes || !hasEscape(text, member) else { return false }
        for other in 0..<member
        where nameLength(other) == nameLength(member)
          && isSame(text, start(other), text, start(member), nameLength(member))
        {
          return false
        }
      }
      return true
    }

    /// Whether a name has escapes; it might then be equal to another one.
    private func hasEscape(_ text: Span<UInt8>, _ member: Int) -> Bool {
      for at in start(member)..<start(member) + nameLength(member) where text[at] == Byte.backslash
      {
        return true
      }
      return false
    }

    /// The first eight bytes of a name including quotes, padded with zeros.
    private func prefix(_ text: Span<UInt8>, _ member: Int) -> UInt64 {
      let word = text.word(start(member))
      let count = nameLength(member)
      return count >= 8 ? word : word & ~(UInt64.max << UInt64(count * 8))
    }

    // MARK: Members

    private func start(_ member: Int) -> Int { Int(unsafe members[member].start) }
    private func end(_ member: Int) -> Int { Int(unsafe members[member].end) }
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
    /// Eight bytes as a little-endian number, padded with zeros at the end.
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

  /// Returns the length of the prefix of a text that equals `known` except for escapes in strings;
  /// nil if there is none.
  ///
  /// An escape matches any escape of the same character. It matches the character itself only if that
  /// is `/` or not ASCII, because such characters need no escape and occur only in strings.
  ///
  /// - Parameters:
  ///   - known: Valid JSON.
  ///   - text: Any bytes.
  /// - Returns: The length of the prefix in bytes.
  /// - Complexity: O(*n*), where *n* is the length of the common prefix.
  public func respelledCount(of known: Span<UInt8>, in text: Span<UInt8>) -> Int? {
    var (place, at) = (0, 0)
    while true {
      let length = plainPrefixCount(known.extracting(place...), text.extracting(at...))
      place += length
      at += length
      if place == known.count { return at }
      guard at < text.count,
        let lengths = escapedLengths(known.extracting(place...), text.extracting(at...))
      else { return nil }
      place += lengths.known
      at += lengths.text
    }
  }

  /// The length of the common prefix of two texts, up to the first backslash.
  private func plainPrefixCount(_ known: Span<UInt8>, _ text: Span<UInt8>) -> Int {
    let count = min(known.count, text.count)
    return unsafe known.withUnsafeBufferPointer { known in
      unsafe text.withUnsafeBufferPointer { text in
        guard let known = known.baseAddress, let text = text.baseAddress else { return 0 }
        return unsafe csj_plain_prefix(known, text, count)
      }
    }
  }

  /// The lengths of the first character in both strings; nil if it differs or neither is an escape.
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

  /// The length of a character at the start of a text; nil if it is not there, or is significant
  /// outside of strings.
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
#endif
