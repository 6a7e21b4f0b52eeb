#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Compares member names by the bytes of their unescaped UTF-8.
extension Canonicalizer {
  mutating func member(_ name: UInt32) -> ObjectMember {
    let token = view[name]
    guard token.hasEscapes else {
      let inside = Int(token.offset) + 1
      return ObjectMember(
        prefix: view.namePrefix(inside, token.count - 2), name: name, offset: UInt32(inside),
        count: UInt32(token.count - 2), isSpelled: false)
    }
    return spelledMember(name, token)
  }

  @inline(never)
  private mutating func spelledMember(_ name: UInt32, _ token: Token) -> ObjectMember {
    let offset = names.count
    view.unescape(token) { names.append($0) }
    let length = names.count - offset
    var prefix: UInt64 = 0
    for at in 0..<8 { prefix = prefix << 8 | UInt64(at < length ? names[offset + at] : 0) }
    return ObjectMember(
      prefix: prefix, name: name, offset: UInt32(offset), count: UInt32(length), isSpelled: true)
  }

  private func withName<Result>(_ member: ObjectMember, _ body: (Span<UInt8>) -> Result) -> Result {
    let range = Int(member.offset)..<Int(member.offset) + Int(member.count)
    return member.isSpelled ? names.withElements(range, body) : view.withBytes(range, body)
  }

  /// Orders members by the bytes of their names; equal names by their order in the text.
  @inline(__always)
  func isBefore(_ lhs: ObjectMember, _ rhs: ObjectMember) -> Bool {
    lhs.prefix != rhs.prefix ? lhs.prefix < rhs.prefix : isBeforeInFull(lhs, rhs)
  }

  @inline(never)
  private func isBeforeInFull(_ lhs: ObjectMember, _ rhs: ObjectMember) -> Bool {
    let order = withName(lhs) { one in withName(rhs) { other in compare(one, other) } }
    if order != 0 { return order < 0 }
    return lhs.count != rhs.count ? lhs.count < rhs.count : lhs.name < rhs.name
  }

  /// Compares the common length of two names.
  private func compare(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> Int32 {
    unsafe lhs.withUnsafeBytes { lhs in
      unsafe rhs.withUnsafeBytes { rhs in
        guard let one = lhs.baseAddress, let other = rhs.baseAddress else { return 0 }
        return unsafe memcmp(one, other, min(lhs.count, rhs.count))
      }
    }
  }
}
