// Lookups by name.

extension DocumentView {
  enum Found {
    case none
    case one(UInt32)
    /// A name on the path occurs twice in its object.
    case several
  }

  /// Follows a pointer from the value at `index`.
  func find(_ pointer: JSONPointer, from index: UInt32) -> Found {
    var value = index
    for name in pointer.tokens {
      var found = Found.none
      forEachChild(name, of: value) { child in
        if case .none = found { found = .one(child) } else { found = .several }
      }
      guard case .one(let next) = found else { return found }
      value = next
    }
    return .one(value)
  }

  /// Appends all values at some pointers from the value at `index`, including those of repeated names; an empty
  /// pointer has none.
  func collect(_ pointers: [JSONPointer], from index: UInt32, into values: inout [UInt32]) {
    for pointer in pointers where !pointer.tokens.isEmpty {
      collect(pointer.tokens[...], index, &values)
    }
  }

  private func collect(_ names: ArraySlice<[UInt8]>, _ index: UInt32, _ values: inout [UInt32]) {
    guard let name = names.first else { return values.append(index) }
    forEachChild(name, of: index) { collect(names.dropFirst(), $0, &values) }
  }

  @inline(__always)
  func forEachChild(_ name: [UInt8], of index: UInt32, _ body: (UInt32) -> Void) {
    switch self[index].kind {
    case .object: forEachMember(name, of: index, body)
    case .array: if let element = element(name, of: index) { body(element) }
    default: break
    }
  }

  @inline(__always)
  private func forEachMember(
    _ name: [UInt8], of object: UInt32, _ body: (UInt32) -> Void
  ) {
    let end = self[object].next
    var at = object + 1
    while at < end {
      if isName(self[at], name) { body(at + 1) }
      at = self[at + 1].next
    }
  }

  private func element(_ name: [UInt8], of array: UInt32) -> UInt32? {
    guard let index = JSONPointer.arrayIndex(name) else {
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

  /// Whether a name's token has this name, unescaped.
  @inline(__always)
  private func isName(_ token: Token, _ name: [UInt8]) -> Bool {
    guard !token.hasEscapes else { return isEscapedName(token, name) }
    guard token.count == name.count + 2 else { return false }
    let start = Int(token.offset) + 1
    for at in name.indices where byte(start + at) != name[at] { return false }
    return true
  }

  @inline(never)
  private func isEscapedName(_ token: Token, _ name: [UInt8]) -> Bool {
    var rest = name[...]
    var isEqual = true
    unescape(token) { byte in isEqual = rest.popFirst() == byte && isEqual }
    return isEqual && rest.isEmpty
  }

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
