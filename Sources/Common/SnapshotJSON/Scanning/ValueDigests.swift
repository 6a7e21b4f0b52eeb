/// Digests of JSON values, by which the terms of views compare values: equal values have equal digests.
///
/// Numbers are equal by their value, strings by their unescaped bytes, objects whatever the order of their members, of
/// which the last one of each name counts. A value is read once, without a tree. Digests are those of this process, and
/// values with equal digests need not be equal. The text is one that ``RawJSON`` reads.
package struct ValueDigests {
  private static let seed = UInt64.random(in: .min ... .max)

  /// The members of the objects being read, the innermost last.
  private var members: [Member] = []

  private struct Member {
    var name: UInt64
    var ordinal: Int
    var value: UInt64
  }

  package init() {}

  /// The digest of an integer of at most 17 digits.
  package static func digest(of integer: Int) -> UInt64 {
    mix(UInt64(bitPattern: Int64(integer)), Kind.number.rawValue)
  }

  /// The digest of the value in a text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes, and O(*m* log *m*) in the number of members of an object.
  package mutating func digest(of text: Span<UInt8>) -> UInt64 {
    var at = 0
    return value(text, &at)
  }

  private enum Kind: UInt64 {
    case null = 1
    case `true`, `false`, number, decimal, string, array, object
  }

  @inline(__always)
  private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = (one ^ seed).multipliedFullWidth(by: other &* 0x9E37_79B9_7F4A_7C15 | 1)
    return product.high ^ product.low
  }

  private mutating func value(_ text: Span<UInt8>, _ at: inout Int) -> UInt64 {
    guard at < text.count else { return 0 }
    switch text[at] {
    case Byte.quote: return string(text, &at)
    case Byte.openBrace: return object(text, &at)
    case Byte.openBracket: return array(text, &at)
    default:
      let start = at
      RawJSON.skipValue(text, &at)
      return Self.scalar(text.extracting(start..<at))
    }
  }

  private mutating func array(_ text: Span<UInt8>, _ at: inout Int) -> UInt64 {
    var digest = Kind.array.rawValue
    at &+= 1
    while at < text.count, text[at] != Byte.closeBracket {
      let start = at
      digest = Self.mix(digest &+ value(text, &at), Kind.array.rawValue)
      // A text that is no JSON ends all the same.
      if at < text.count, text[at] == Byte.comma || at == start { at &+= 1 }
    }
    at = min(at &+ 1, text.count)
    return digest
  }

  private mutating func object(_ text: Span<UInt8>, _ at: inout Int) -> UInt64 {
    let base = members.count
    at &+= 1
    while at < text.count, text[at] != Byte.closeBrace {
      let name = string(text, &at)
      at = min(at &+ 1, text.count)
      members.append(Member(name: name, ordinal: members.count, value: value(text, &at)))
      if at < text.count, text[at] == Byte.comma { at &+= 1 }
    }
    at = min(at &+ 1, text.count)
    defer { members.removeSubrange(base...) }
    return digestOfMembers(from: base)
  }

  /// Combines members in the order of the digests of their names, the last one of each.
  private mutating func digestOfMembers(from base: Int) -> UInt64 {
    if members.count - base == 1 { return Self.object(with: members[base], Kind.object.rawValue) }
    members[base...].sort { ($0.name, $0.ordinal) < ($1.name, $1.ordinal) }
    var digest = Kind.object.rawValue
    for at in base..<members.count {
      if at + 1 < members.count, members[at + 1].name == members[at].name { continue }
      digest = Self.object(with: members[at], digest)
    }
    return digest
  }

  private static func object(with member: Member, _ digest: UInt64) -> UInt64 {
    mix(mix(digest &+ member.name, Kind.object.rawValue) &+ member.value, Kind.null.rawValue)
  }

  private func string(_ text: Span<UInt8>, _ at: inout Int) -> UInt64 {
    let start = at
    var hasEscapes = false
    at &+= 1
    while at < text.count, text[at] != Byte.quote {
      guard text[at] == Byte.backslash else {
        at &+= 1
        continue
      }
      hasEscapes = true
      at &+= 2
    }
    at = min(at &+ 1, text.count)
    let string = text.extracting(start..<at)
    guard string.count >= 2 else { return Kind.string.rawValue }
    let hash =
      hasEscapes
      ? hash64(RawJSON.unescaped(string), seed: Self.seed)
      : hash64(string.extracting(1..<string.count - 1), seed: Self.seed)
    return Self.mix(hash, Kind.string.rawValue)
  }

  private static func scalar(_ text: Span<UInt8>) -> UInt64 {
    switch RawJSON.kind(of: text) {
    case .null: return mix(0, Kind.null.rawValue)
    case .true: return mix(0, Kind.true.rawValue)
    case .false: return mix(0, Kind.false.rawValue)
    default: break
    }
    if let integer = RawJSON.integer(text) { return digest(of: integer) }
    var bytes: [UInt8] = []
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    let decimal = JSONDecimal(bytes[...])
    if let integer = decimal.integer { return digest(of: integer) }
    return mix(hash64(decimal.canonical, seed: seed), Kind.decimal.rawValue)
  }
}

extension RawJSON {
  /// The value of an integer of at most 17 digits, written plainly; nil for any other text.
  package static func integer(_ text: Span<UInt8>) -> Int? {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard 1...17 ~= text.count &- start else { return nil }
    var value = 0
    for at in start..<text.count {
      guard 0x30...0x39 ~= text[at] else { return nil }
      value = value &* 10 &+ Int(text[at] &- 0x30)
    }
    return isNegative ? -value : value
  }
}
