/// Copies a value without the white space between its tokens; nothing else changes.
///
/// The output needs room for the value's own length.
struct Minifier {
  let text: UnsafePointer<UInt8>
  let tape: UnsafePointer<Token>
  /// The token whose place in the output is wanted.
  var watched = UInt32.max
  /// The value to leave out, with its name; not the one that is copied.
  var skipped = UInt32.max
  /// Where the watched token went.
  private(set) var watchedOut = 0

  init(text: UnsafePointer<UInt8>, tape: UnsafePointer<Token>) {
    self.text = text
    self.tape = tape
  }

  /// Writes the value at `index` to `out + at` and moves `at` behind it.
  mutating func copy(_ index: UInt32, _ out: UnsafeMutablePointer<UInt8>, _ at: inout Int) {
    let token = tape[Int(index)]
    let isWhole = !token.hasGaps && !contains(skipped, index, token)
    if isWhole ? contains(watched, index, token) : watched == index {
      watchedOut = at + Int(tape[Int(watched)].offset - token.offset)
    }
    if isWhole {
      (out + at).update(from: text + Int(token.offset), count: token.count)
      at += token.count
    } else if token.kind == .object {
      copyMembers(index, token.next, out, &at)
    } else {
      copyElements(index, token.next, out, &at)
    }
  }

  @inline(__always)
  private func contains(_ inner: UInt32, _ index: UInt32, _ token: Token) -> Bool {
    inner >= index && inner < token.next
  }

  private mutating func copyMembers(
    _ index: UInt32, _ end: UInt32, _ out: UnsafeMutablePointer<UInt8>, _ at: inout Int
  ) {
    var name = index + 1
    var isFirst = true
    put(Byte.openBrace, out, &at)
    while name < end {
      let value = name + 1
      if value != skipped {
        if !isFirst { put(Byte.comma, out, &at) }
        isFirst = false
        copy(name, out, &at)
        put(Byte.colon, out, &at)
        copy(value, out, &at)
      }
      name = tape[Int(value)].next
    }
    put(Byte.closeBrace, out, &at)
  }

  private mutating func copyElements(
    _ index: UInt32, _ end: UInt32, _ out: UnsafeMutablePointer<UInt8>, _ at: inout Int
  ) {
    var element = index + 1
    var isFirst = true
    put(Byte.openBracket, out, &at)
    while element < end {
      if element != skipped {
        if !isFirst { put(Byte.comma, out, &at) }
        isFirst = false
        copy(element, out, &at)
      }
      element = tape[Int(element)].next
    }
    put(Byte.closeBracket, out, &at)
  }

  @inline(__always)
  private func put(_ byte: UInt8, _ out: UnsafeMutablePointer<UInt8>, _ at: inout Int) {
    out[at] = byte
    at &+= 1
  }
}

extension JSONValue {
  /// Appends the value's text without the white space between its tokens.
  ///
  /// Member order, escapes and number texts stay as they were sent.
  public func minified(into output: inout [UInt8]) {
    output.append(contentsOf: minified())
  }

  /// The value's text without the white space between its tokens.
  public func minified() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { out, count in
      guard let out = out.baseAddress else { return }
      storage.withPointers { text, tape in
        var minifier = Minifier(text: text, tape: tape)
        minifier.copy(UInt32(index), out, &count)
      }
    }
  }
}

extension JSONStorage {
  /// Calls `body` with the text and the tape.
  ///
  /// A document is never without bytes or tokens.
  func withPointers(_ body: (UnsafePointer<UInt8>, UnsafePointer<Token>) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      tape.withUnsafeBufferPointer { tape in
        guard let text = bytes.baseAddress, let tokens = tape.baseAddress else { return }
        body(text, tokens)
      }
    }
  }
}
