#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The order of member names: by the bytes of their unescaped UTF-8.
extension Canonicalizer {
  mutating func member(_ name: UInt32) -> Member {
    let token = tape[Int(name)]
    let inside = Int(token.offset) + 1
    let count = token.count - 2
    guard token.hasEscapes else {
      return Member(
        prefix: prefix(inside, count), name: name, offset: UInt32(inside), count: UInt32(count),
        isSpelled: false)
    }
    return spelledMember(name, inside, count)
  }

  @inline(never)
  private mutating func spelledMember(_ name: UInt32, _ inside: Int, _ count: Int) -> Member {
    let offset = names.count
    let source = text + inside
    names.append(upTo: count) { JSONText.unescape(source, count, into: $0) }
    let length = names.count - offset
    var prefix: UInt64 = 0
    for at in 0..<8 { prefix = prefix << 8 | UInt64(at < length ? names.start[offset + at] : 0) }
    return Member(
      prefix: prefix, name: name, offset: UInt32(offset), count: UInt32(length), isSpelled: true)
  }

  /// The first eight bytes of a name in the text, read in one load where the text is long enough.
  @inline(__always)
  private func prefix(_ offset: Int, _ count: Int) -> UInt64 {
    guard count > 0 else { return 0 }
    guard offset &+ 8 <= textCount else {
      return (0..<8).reduce(0) { $0 << 8 | UInt64($1 < count ? text[offset + $1] : 0) }
    }
    let word = UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self).bigEndian
    return count >= 8 ? word : word & ~(UInt64.max &>> UInt64(count &* 8))
  }

  @inline(__always)
  private func bytes(of member: Member) -> UnsafePointer<UInt8> {
    (member.isSpelled ? UnsafePointer(names.start) : text) + Int(member.offset)
  }

  /// By the bytes of the names; members of one name in the order of the text.
  @inline(__always)
  private func isBefore(_ lhs: Member, _ rhs: Member) -> Bool {
    lhs.prefix != rhs.prefix ? lhs.prefix < rhs.prefix : isBeforeInFull(lhs, rhs)
  }

  @inline(never)
  private func isBeforeInFull(_ lhs: Member, _ rhs: Member) -> Bool {
    let order = memcmp(bytes(of: lhs), bytes(of: rhs), Int(min(lhs.count, rhs.count)))
    if order != 0 { return order < 0 }
    return lhs.count != rhs.count ? lhs.count < rhs.count : lhs.name < rhs.name
  }

  /// By insertion where there are few: nearly all objects, often sorted already.
  func sort(_ members: UnsafeMutableBufferPointer<Member>) {
    guard members.count <= 24 else {
      var many = members
      many.sort { isBefore($0, $1) }
      return
    }
    for sorted in stride(from: 1, to: members.count, by: 1) {
      let member = members[sorted]
      var at = sorted
      while at > 0, isBefore(member, members[at &- 1]) {
        members[at] = members[at &- 1]
        at &-= 1
      }
      members[at] = member
    }
  }
}
