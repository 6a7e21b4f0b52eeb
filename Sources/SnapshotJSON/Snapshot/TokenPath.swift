/// A JSON pointer made ready to be followed on a tape many times.
struct TokenPath {
  /// The pointer's string form.
  let text: String
  private let names: [[UInt8]]

  init(_ pointer: JSONPointer) {
    text = pointer.description
    names = pointer.tokens.map { Array($0.utf8) }
  }

  var isRoot: Bool { names.isEmpty }

  /// What is found at the path's end.
  enum Found {
    case none
    case one(UInt32)
    /// A name on the way stands twice in its object.
    case several
  }

  /// Follows the path from the value at `index`.
  func find(_ index: UInt32, in tape: TapeText) -> Found {
    var value = index
    for name in names {
      switch tape.child(name, of: value) {
      case .one(let next): value = next
      case let other: return other
      }
    }
    return .one(value)
  }

  /// Appends all values at the path's end, those of names that stand twice as well.
  func collect(_ index: UInt32, in tape: TapeText, into values: inout [UInt32]) {
    if !isRoot { collect(names[...], index, tape, &values) }
  }

  private func collect(
    _ names: ArraySlice<[UInt8]>, _ index: UInt32, _ tape: TapeText, _ values: inout [UInt32]
  ) {
    guard let name = names.first else { return values.append(index) }
    tape.forEachChild(name, of: index) { collect(names.dropFirst(), $0, tape, &values) }
  }
}

/// A document's text and tape, to look values up by name.
struct TapeText: BitwiseCopyable {
  let text: UnsafePointer<UInt8>
  let tape: UnsafePointer<Token>

  @inline(__always)
  subscript(index: UInt32) -> Token { tape[Int(index)] }

  /// The member or element with this name or index.
  func child(_ name: [UInt8], of index: UInt32) -> TokenPath.Found {
    var found = TokenPath.Found.none
    forEachChild(name, of: index) { value in
      if case .none = found { found = .one(value) } else { found = .several }
    }
    return found
  }

  @inline(__always)
  func forEachChild(_ name: [UInt8], of index: UInt32, _ body: (UInt32) -> Void) {
    switch self[index].kind {
    case .object: name.withUnsafeBufferPointer { forEachMember($0, of: index, body) }
    case .array: if let element = element(name, of: index) { body(element) }
    default: break
    }
  }

  @inline(__always)
  private func forEachMember(
    _ name: UnsafeBufferPointer<UInt8>, of object: UInt32, _ body: (UInt32) -> Void
  ) {
    let end = self[object].next
    var at = object + 1
    while at < end {
      if isName(self[at], name) { body(at + 1) }
      at = self[at + 1].next
    }
  }

  private func element(_ name: [UInt8], of array: UInt32) -> UInt32? {
    guard let index = JSONPointer.arrayIndex(String(decoding: name, as: UTF8.self)) else {
      return nil
    }
    let end = self[array].next
    var at = array + 1
    for _ in 0..<index {
      guard at < end else { return nil }
      at = self[at].next
    }
    return at < end ? at : nil
  }

  /// Whether a name's token is this name, unescaped.
  @inline(__always)
  private func isName(_ token: Token, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !token.hasEscapes else { return isEscapedName(token, name) }
    guard token.count == name.count + 2 else { return false }
    let start = text + Int(token.offset) + 1
    for at in 0..<name.count where start[at] != name[at] { return false }
    return true
  }

  @inline(never)
  private func isEscapedName(_ token: Token, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = token.count - 2
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
      guard let start = buffer.baseAddress else { return name.isEmpty }
      let length = JSONText.unescape(text + Int(token.offset) + 1, count, into: start)
      return UnsafeBufferPointer(start: start, count: length).elementsEqual(name)
    }
  }

  /// The number of elements of an array.
  func elementCount(_ array: UInt32) -> Int {
    let end = self[array].next
    var count = 0
    var at = array + 1
    while at < end {
      at = self[at].next
      count += 1
    }
    return count
  }
}
