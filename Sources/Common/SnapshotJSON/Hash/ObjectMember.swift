/// A member of an object, to be sorted.
struct ObjectMember: BitwiseCopyable {
  /// The first eight bytes of the name, big-endian and zero-padded; decides most comparisons.
  var prefix: UInt64
  /// The token of the name.
  var name: UInt32
  /// The offset of the unescaped name: in the text, or in `names` if `isSpelled` (it has
  /// escapes).
  var offset: UInt32
  var count: UInt32
  /// The number of members before this one in the text.
  var ordinal: UInt16 = 0
  var isSpelled: Bool
}

extension DocumentView {
  /// The first eight bytes of a name in the text, loaded at once if the text is long enough.
  @inline(__always)
  func namePrefix(_ offset: Int, _ count: Int) -> UInt64 {
    guard count > 0 else { return 0 }
    guard offset &+ 8 <= byteCount else {
      return (0..<8).reduce(0) { $0 << 8 | UInt64($1 < count ? byte(offset + $1) : 0) }
    }
    let word = self.word(offset)
    return count >= 8 ? word : word & ~(UInt64.max &>> UInt64(count &* 8))
  }
}
