import DeltaEngine

/// Content hashes: equal for texts that mean the same value, whatever their spelling.
///
/// The hash is XXH3-128 over the value's canonical text: no white space; the members of each
/// object sorted by the bytes of their unescaped names; strings with no escapes but `\"`, `\\`
/// and `\u00xx` for control characters; numbers as they were spelled (`1`, `1.0` and `1e0`
/// are three contents). Members with one name keep the order among themselves, so that
/// `{"a":1,"a":2}` and `{"a":2,"a":1}` differ.
struct Canonicalizer: ~Copyable {
  let view: DocumentView
  private let seed: UInt64
  private var out = Scratch<UInt8>(capacity: 1024)
  /// Unescaped member names, for those that are spelled with escapes.
  var names = Scratch<UInt8>(capacity: 64)
  /// A stack: the members of the objects being written, innermost last.
  private var members = Scratch<Member>(capacity: 64)
  /// Values that are left out, with their names; ascending.
  private var skipped: [UInt32] = []

  /// A member of an object, ready to be sorted.
  struct Member: BitwiseCopyable {
    /// The first eight bytes of the name, big endian, padded with zeros: decides most comparisons.
    var prefix: UInt64
    /// The token of the name.
    var name: UInt32
    /// Where the unescaped name is: in the text, or in `names` when it `isSpelled` with escapes.
    var offset: UInt32
    var count: UInt32
    var isSpelled: Bool
  }

  init(_ view: DocumentView, seed: UInt64) {
    self.view = view
    self.seed = seed
  }

  /// The content hash of a text that is canonical already.
  func hash(_ canonical: Span<UInt8>) -> ContentHash { hash128(canonical, seed: seed) }

  /// The content hash of the value at `index`.
  mutating func hash(_ index: UInt32) -> ContentHash {
    out.truncate(to: 0)
    names.truncate(to: 0)
    write(index)
    return out.withElements(0..<out.count) { hash128($0, seed: seed) }
  }

  /// The content hash of the value at `index` without some values inside it; a member that is left
  /// out goes with its name.
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

  private mutating func writeObject(_ index: UInt32, _ token: Token) {
    let base = members.count
    gather(index, token)
    members.sort(from: base) { isBefore($0, $1) }
    out.append(Byte.openBrace)
    for at in base..<members.count {
      if at != base { out.append(Byte.comma) }
      writeMember(members[at].name, isPlain: token.isPlain)
    }
    out.append(Byte.closeBrace)
    members.truncate(to: base)
  }

  /// Where nothing in the object is respelled, a scalar member is copied whole.
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
    while name < token.next {
      if !isSkipped(name + 1) { members.append(member(name)) }
      name = view[name + 1].next
    }
  }

  @inline(__always)
  private func isSkipped(_ value: UInt32) -> Bool {
    !skipped.isEmpty && isAmongSkipped(value)
  }

  /// By bisection: an ignored name may appear in one object very often.
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
  private mutating func copy(_ range: Range<Int>) { view.withBytes(range) { out.append($0) } }

  // MARK: Strings

  /// Runs without escapes are copied whole.
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
