import DeltaEngine

/// Computes content hashes, which are equal for different spellings of the same value.
///
/// The hash is XXH3-128 of the value's canonical text: no white space; the members of each object
/// sorted by the bytes of their unescaped names; strings without escapes except `\"`, `\\` and
/// `\u00xx` for control characters; numbers as written (`1`, `1.0` and `1e0` are three contents).
/// Members with equal names keep their order, so `{"a":1,"a":2}` and `{"a":2,"a":1}` differ.
struct Canonicalizer: ~Copyable {
  let view: DocumentView
  private var out = Scratch<UInt8>(capacity: 1024)
  /// The unescaped names of members whose names have escapes.
  var names = Scratch<UInt8>(capacity: 64)
  /// A stack of the members of the objects being written, the innermost last.
  private var members = Scratch<ObjectMember>(capacity: 64)
  private var shape = ObjectShape()
  /// The values to exclude with their names, in ascending order.
  private var skipped: [UInt32] = []

  init(_ view: DocumentView) { self.view = view }

  mutating func hash(_ index: UInt32) -> ContentHash {
    out.truncate(to: 0)
    names.truncate(to: 0)
    let token = view[index]
    if token.kind != .object {
      write(index)
    } else if !writeLikeLast(index, token) {
      writeObject(index, token, isOutermost: true)
    }
    return out.withElements(0..<out.count) { hash128($0) }
  }

  /// Watches a member, by its value, of the object that was hashed last, if its names are known.
  mutating func watch(_ value: UInt32) { shape.watch(value) }

  /// The value of the watched member in an object; nil if that has other names than the object hashed
  /// last or may have.
  mutating func watchedValue(of index: UInt32) -> UInt32? {
    let token = view[index]
    guard !token.hasEscapes else { return nil }
    return shape.watchedValue(of: index, token, view)
  }

  /// Returns the content hash of the value at `index`, excluding some values inside it with their
  /// names.
  mutating func hash(_ index: UInt32, skipping skipped: [UInt32]) -> ContentHash {
    self.skipped = skipped.sorted()
    defer { self.skipped = [] }
    return hash(index)
  }

  private mutating func write(_ index: UInt32) {
    let token = view[index]
    switch token.kind {
    case .object: writeObject(index, token)
    case .array: writeArray(index, token)
    case .string where token.hasEscapes: writeString(token)
    default: copy(Int(token.offset)..<Int(token.end))
    }
  }

  private mutating func writeArray(_ index: UInt32, _ token: Token) {
    out.append(Byte.openBracket)
    var element = index + 1
    var isFirst = true
    while element < token.next {
      if !isSkipped(element) {
        if !isFirst { out.append(Byte.comma) }
        isFirst = false
        write(element)
      }
      element = view[element].next
    }
    out.append(Byte.closeBracket)
  }

  private mutating func writeObject(_ index: UInt32, _ token: Token, isOutermost: Bool = false) {
    let base = members.count
    gather(index, token)
    // Most outermost objects are items, and the next item mostly has the same names.
    let hasShape = isOutermost && !token.hasEscapes && skipped.isEmpty
    if hasShape { shape.note(members) }
    members.sort(from: base) { isBefore($0, $1) }
    if hasShape { shape.note(sorted: members) }
    out.append(Byte.openBrace)
    for at in base..<members.count {
      if at != base { out.append(Byte.comma) }
      writeMember(members[at].name, isPlain: token.isPlain)
    }
    out.append(Byte.closeBrace)
    members.truncate(to: base)
  }

  /// Writes an object that has the same names in the same order as the one before, without sorting
  /// them again; returns false for any other.
  private mutating func writeLikeLast(_ index: UInt32, _ token: Token) -> Bool {
    guard !token.hasEscapes, skipped.isEmpty, shape.matches(index, token, view) else {
      return false
    }
    out.append(Byte.openBrace)
    for at in 0..<shape.count {
      if at != 0 { out.append(Byte.comma) }
      writeMember(shape.name(at), isPlain: token.isPlain)
    }
    out.append(Byte.closeBrace)
    return true
  }

  /// Copies a scalar member whole if nothing in the object has escapes or white space.
  @inline(__always)
  private mutating func writeMember(_ name: UInt32, isPlain: Bool) {
    let value = view[name + 1]
    if isPlain, !value.isContainer {
      copy(Int(view[name].offset)..<Int(value.end))
    } else {
      write(name)
      out.append(Byte.colon)
      write(name + 1)
    }
  }

  private mutating func gather(_ index: UInt32, _ token: Token) {
    var name = index + 1
    var ordinal = 0
    while name < token.next {
      if !isSkipped(name + 1) {
        var member = member(name)
        member.ordinal = UInt16(truncatingIfNeeded: ordinal)
        members.append(member)
      }
      ordinal &+= 1
      name = view[name + 1].next
    }
  }

  @inline(__always)
  private func isSkipped(_ value: UInt32) -> Bool {
    !skipped.isEmpty && isAmongSkipped(value)
  }

  /// Uses a binary search, because an ignored name may be repeated many times in an object.
  private func isAmongSkipped(_ value: UInt32) -> Bool {
    var range = skipped.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if skipped[middle] == value { return true }
      range = skipped[middle] < value ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

  @inline(__always)
  private mutating func copy(_ range: Range<Int>) {
    let block = range.lowerBound..<range.lowerBound &+ Scratch<UInt8>.blockSize
    if range.upperBound <= block.upperBound, block.upperBound <= view.byteCount {
      view.withBytes(block) { out.append(block: $0, count: range.count) }
    } else {
      view.withBytes(range) { out.append($0) }
    }
  }

  // MARK: Strings

  /// Copies runs without escapes whole.
  private mutating func writeString(_ token: Token) {
    var run = Int(token.offset)
    var at = run + 1
    let end = Int(token.end) - 1
    while at < end {
      guard view.byte(at) == Byte.backslash else {
        at &+= 1
        continue
      }
      copy(run..<at)
      let escape = view.withBytes(at..<end) { JSONText.scalar($0, at: 0) }
      writeScalar(escape.value)
      at += escape.length
      run = at
    }
    copy(run..<Int(token.end))
  }

  private mutating func writeScalar(_ scalar: UInt32) {
    switch scalar {
    case UInt32(Byte.quote), UInt32(Byte.backslash):
      out.append(Byte.backslash)
      out.append(UInt8(scalar))
    case ..<0x20:
      JSONText.escapeControl(UInt8(scalar)) { out.append($0) }
    default:
      JSONText.encode(scalar) { out.append($0) }
    }
  }
}
