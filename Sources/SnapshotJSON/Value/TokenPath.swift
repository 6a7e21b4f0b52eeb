/// A JSON pointer prepared for repeated lookups on a tape.
struct TokenPath {
  /// The string form of the pointer.
  let text: String
  private let names: [[UInt8]]

  init(_ pointer: JSONPointer) {
    text = pointer.description
    names = pointer.tokens.map { Array($0.utf8) }
  }

  var isRoot: Bool { names.isEmpty }

  /// The result of a lookup.
  enum Found {
    case none
    case one(UInt32)
    /// A name on the path occurs twice in its object.
    case several
  }

  /// Follows the path from the value at `index`.
  func find(_ index: UInt32, in tape: DocumentView) -> Found {
    var value = index
    for name in names {
      switch tape.child(name, of: value) {
      case .one(let next): value = next
      case let other: return other
      }
    }
    return .one(value)
  }

  /// Appends all values at the end of the path, including those of repeated names.
  func collect(_ index: UInt32, in tape: DocumentView, into values: inout [UInt32]) {
    if !isRoot { collect(names[...], index, tape, &values) }
  }

  private func collect(
    _ names: ArraySlice<[UInt8]>, _ index: UInt32, _ tape: DocumentView, _ values: inout [UInt32]
  ) {
    guard let name = names.first else { return values.append(index) }
    tape.forEachChild(name, of: index) { collect(names.dropFirst(), $0, tape, &values) }
  }
}

// Lookups by name.

extension DocumentView {
  /// The member with a name, or the element with an index.
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

  /// The number of elements in an array.
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
