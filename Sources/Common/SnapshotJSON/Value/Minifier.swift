/// Copies a value without white space between tokens, leaving everything else unchanged.
///
/// The copy is never longer than the value.
struct Minifier {
  let view: DocumentView
  /// A token whose position in the output is recorded.
  var watched = UInt32.max
  /// A value to omit together with its name; it must not be the value being copied.
  var skipped = UInt32.max
  /// The position of the watched token in the output.
  private(set) var watchedOut = 0

  init(_ view: DocumentView) { self.view = view }

  /// Appends the value at `index`.
  mutating func copy(_ index: UInt32, to out: inout ByteOutput) {
    let token = view[index]
    let isWhole = !token.hasGaps && !contains(skipped, index, token)
    if isWhole ? contains(watched, index, token) : watched == index {
      watchedOut = out.count + Int(view[watched].offset - token.offset)
    }
    if isWhole {
      view.withBytes(Int(token.offset)..<Int(token.end)) { out.append($0) }
    } else if token.kind == .object {
      copyMembers(index, token.next, &out)
    } else {
      copyElements(index, token.next, &out)
    }
  }

  @inline(__always)
  private func contains(_ inner: UInt32, _ index: UInt32, _ token: Token) -> Bool {
    inner >= index && inner < token.next
  }

  private mutating func copyMembers(
    _ index: UInt32, _ end: UInt32, _ out: inout ByteOutput
  ) {
    var name = index + 1
    var isFirst = true
    out.append(Byte.openBrace)
    while name < end {
      let value = name + 1
      if value != skipped {
        if !isFirst { out.append(Byte.comma) }
        isFirst = false
        copy(name, to: &out)
        out.append(Byte.colon)
        copy(value, to: &out)
      }
      name = view[value].next
    }
    out.append(Byte.closeBrace)
  }

  private mutating func copyElements(
    _ index: UInt32, _ end: UInt32, _ out: inout ByteOutput
  ) {
    var element = index + 1
    var isFirst = true
    out.append(Byte.openBracket)
    while element < end {
      if element != skipped {
        if !isFirst { out.append(Byte.comma) }
        isFirst = false
        copy(element, to: &out)
      }
      element = view[element].next
    }
    out.append(Byte.closeBracket)
  }
}

extension JSONValue {
  /// Returns the value's text without white space between tokens.
  public func minified() -> [UInt8] { minified(skipping: .max) }

  /// Returns the minified text without the value of a token inside it, and without its name.
  func minified(skipping skipped: UInt32) -> [UInt8] {
    [UInt8](capacity: range.count) { out in
      storage.withView { view in
        var minifier = Minifier(view)
        minifier.skipped = skipped
        minifier.copy(UInt32(index), to: &out)
      }
    }
  }
}
