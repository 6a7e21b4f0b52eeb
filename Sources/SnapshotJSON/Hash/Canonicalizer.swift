import DeltaEngine

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Content hashes: equal for texts that mean the same value, whatever their spelling.
///
/// The hash is XXH3-128 over the value's canonical text: no white space; the members of each
/// object sorted by the bytes of their unescaped names; strings with no escapes but `\"`, `\\`
/// and `\u00xx` for control characters; numbers as they were spelled (`1`, `1.0` and `1e0`
/// are three contents). Members with one name keep the order among themselves, so that
/// `{"a":1,"a":2}` and `{"a":2,"a":1}` differ.
///
/// A value that is its own canonical text already is hashed where it stands.
final class Canonicalizer {
  private let text: UnsafePointer<UInt8>
  private let textCount: Int
  private let tape: UnsafePointer<Token>
  private let seed: UInt64
  private let out = ByteBuffer()
  /// Unescaped member names, for those that are spelled with escapes.
  private let names = ByteBuffer()
  /// A stack: the members of the objects being written, innermost last.
  private var members: [Member] = []
  /// Values that are left out, with their names; ascending.
  private var skipped: [UInt32] = []

  /// A member of an object, ready to be sorted.
  private struct Member {
    /// The first eight bytes of the name, big endian, padded with zeros: decides most comparisons.
    var prefix: UInt64
    /// The token of the name.
    var name: UInt32
    /// Where the unescaped name is: in the text, or in `names` when it `isSpelled` with escapes.
    var offset: UInt32
    var count: UInt32
    var isSpelled: Bool
  }

  /// - Parameters:
  ///   - text: The document's bytes.
  ///   - textCount: How many there are.
  ///   - tape: The document's tokens.
  ///   - seed: The seed of the hash.
  init(
    text: UnsafePointer<UInt8>, textCount: Int, tape: UnsafePointer<Token>, seed: UInt64
  ) {
    self.text = text
    self.textCount = textCount
    self.tape = tape
    self.seed = seed
  }

  /// The content hash of a text that is canonical already.
  func hash(_ canonical: UnsafeRawBufferPointer) -> ContentHash { hash128(canonical, seed: seed) }

  /// The content hash of the value at `index`.
  func hash(_ index: UInt32) -> ContentHash {
    skipped.removeAll(keepingCapacity: true)
    return hashValue(index)
  }

  /// The content hash of the value at `index` without some values inside it; a member that is left
  /// out goes with its name.
  func hash(_ index: UInt32, skipping skipped: [UInt32]) -> ContentHash {
    self.skipped.removeAll(keepingCapacity: true)
    self.skipped.append(contentsOf: skipped)
    return hashValue(index)
  }

  private func hashValue(_ index: UInt32) -> ContentHash {
    out.removeAll()
    names.removeAll()
    write(index)
    return hash128(out.bytes, seed: seed)
  }

  private func write(_ index: UInt32) {
    let token = tape[Int(index)]
    switch token.kind {
    case .object: writeObject(index, token)
    case .array: writeArray(index, token)
    case .string where token.hasEscapes: writeString(token)
    default: out.append(text + Int(token.offset), token.count)
    }
  }

  private func writeArray(_ index: UInt32, _ token: Token) {
    out.append(Byte.openBracket)
    var element = index + 1
    var isFirst = true
    while element < token.next {
      if !isSkipped(element) {
        if !isFirst { out.append(Byte.comma) }
        isFirst = false
        write(element)
      }
      element = tape[Int(element)].next
    }
    out.append(Byte.closeBracket)
  }

  private func writeObject(_ index: UInt32, _ token: Token) {
    let base = members.count
    gather(index, token)
    sort(from: base)
    // Where nothing is respelled inside, a member is copied whole: name, colon and scalar.
    let isPlain = token.info & (Token.gaps | Token.escapes) == 0
    out.append(Byte.openBrace)
    for at in base..<members.count {
      if at != base { out.append(Byte.comma) }
      let member = members[at]
      let name = tape[Int(member.name)]
      let value = tape[Int(member.name) + 1]
      if isPlain, value.info & Token.kindMask < UInt32(JSONKind.array.rawValue) {
        out.append(text + Int(name.offset), Int(value.end &- name.offset))
      } else {
        write(member.name)
        out.append(Byte.colon)
        write(member.name + 1)
      }
    }
    out.append(Byte.closeBrace)
    members.removeSubrange(base...)
  }

  private func gather(_ index: UInt32, _ token: Token) {
    var name = index + 1
    while name < token.next {
      if !isSkipped(name + 1) { members.append(member(name)) }
      name = tape[Int(name) + 1].next
    }
  }

  private func isSkipped(_ value: UInt32) -> Bool {
    !skipped.isEmpty && skipped.contains(value)
  }

  // MARK: Names

  private func member(_ name: UInt32) -> Member {
    let token = tape[Int(name)]
    let inside = Int(token.offset) + 1
    let count = token.count - 2
    guard token.hasEscapes else {
      return Member(
        prefix: prefix(inside, count), name: name, offset: UInt32(inside), count: UInt32(count),
        isSpelled: false)
    }
    let offset = names.count
    names.append(upTo: count) { JSONText.unescape(text + inside, count, into: $0) }
    let unescaped = UnsafeBufferPointer(start: names.start + offset, count: names.count - offset)
    var prefix: UInt64 = 0
    for at in 0..<8 { prefix = prefix << 8 | UInt64(at < unescaped.count ? unescaped[at] : 0) }
    return Member(
      prefix: prefix, name: name, offset: UInt32(offset), count: UInt32(unescaped.count),
      isSpelled: true)
  }

  /// The first eight bytes of a name in the text, read in one load where the text is long enough.
  @inline(__always)
  private func prefix(_ offset: Int, _ count: Int) -> UInt64 {
    guard count > 0 else { return 0 }
    guard offset &+ 8 <= textCount else {
      return (0..<8).reduce(0) { $0 << 8 | UInt64($1 < count ? text[offset + $1] : 0) }
    }
    let word = UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self).bigEndian
    return count >= 8 ? word : word & ~(UInt64.max >> UInt64(count &* 8))
  }

  private func bytes(of member: Member) -> UnsafePointer<UInt8> {
    (member.isSpelled ? UnsafePointer(names.start) : text) + Int(member.offset)
  }

  /// By the bytes of the names; members of one name in the order of the text.
  private func isBefore(_ lhs: Member, _ rhs: Member) -> Bool {
    if lhs.prefix != rhs.prefix { return lhs.prefix < rhs.prefix }
    let common = Int(min(lhs.count, rhs.count))
    let order = memcmp(bytes(of: lhs), bytes(of: rhs), common)
    if order != 0 { return order < 0 }
    return lhs.count != rhs.count ? lhs.count < rhs.count : lhs.name < rhs.name
  }

  /// By insertion where there are few: nearly all objects, often sorted already.
  private func sort(from base: Int) {
    guard members.count - base <= 24 else {
      members[base...].sort(by: isBefore)
      return
    }
    for sorted in stride(from: base + 1, to: members.count, by: 1) {
      let member = members[sorted]
      var at = sorted
      while at > base, isBefore(member, members[at - 1]) {
        members[at] = members[at - 1]
        at -= 1
      }
      members[at] = member
    }
  }

  // MARK: Strings

  private func writeString(_ token: Token) {
    out.append(Byte.quote)
    var at = Int(token.offset) + 1
    let end = Int(token.end) - 1
    while at < end {
      if text[at] == Byte.backslash {
        let escape = JSONText.scalar(text + at)
        writeScalar(escape.value)
        at += escape.length
      } else {
        out.append(text[at])
        at += 1
      }
    }
    out.append(Byte.quote)
  }

  private func writeScalar(_ scalar: UInt32) {
    switch scalar {
    case UInt32(Byte.quote), UInt32(Byte.backslash):
      out.append(Byte.backslash)
      out.append(UInt8(scalar))
    case ..<0x20:
      out.append(upTo: 6) { JSONText.escapeControl(UInt8(scalar), into: $0) }
    default:
      out.append(upTo: 4) { JSONText.encode(scalar, into: $0) }
    }
  }
}

extension JSONText {
  /// Writes `\u00xx`.
  static func escapeControl(_ byte: UInt8, into out: UnsafeMutablePointer<UInt8>) -> Int {
    for (at, known) in [Byte.backslash, Byte.lowerU, Byte.zero, Byte.zero].enumerated() {
      out[at] = known
    }
    out[4] = hexDigit(byte >> 4)
    out[5] = hexDigit(byte & 0xF)
    return 6
  }

  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? Byte.zero + value : 0x61 + value - 10
  }
}
