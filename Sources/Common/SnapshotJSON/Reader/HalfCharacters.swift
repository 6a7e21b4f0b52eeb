/// The escapes of a text that are half of a surrogate pair (RFC 8259 §8.2), as a program writes them that cuts a text
/// in the middle of a character.
///
/// Off the hot path: only for the error in a text that is not JSON.
struct HalfCharacters {
  /// The offsets of the first bytes of the escapes, ascending.
  private(set) var offsets: [Int] = []
  /// The text with a replacement character in place of each of them; its other offsets are the same.
  private(set) var mended: [UInt8]

  private static let replacement = Array(#"\ufffd"#.utf8)

  init(of bytes: [UInt8]) {
    mended = bytes
    let text = bytes.span
    var at = 0
    while at < bytes.count {
      guard text[at] == Byte.backslash else {
        at += 1
        continue
      }
      if let length = JSONText.escapeLength(text.extracting(at..<bytes.count)) {
        at += length
      } else if at + 1 < bytes.count, text[at + 1] == Byte.lowerU,
        let unit = JSONText.codeUnit(text, at: at), 0xD800...0xDFFF ~= unit
      {
        offsets.append(at)
        mended.replaceSubrange(at..<at + 6, with: Self.replacement)
        at += 6
      } else {
        at += 2
      }
    }
  }

  /// The escape that a text stops being JSON in, at an offset; nil if that is another fault.
  func escape(at fault: Int) -> Int? {
    offsets.last { $0 < fault }.flatMap { fault - $0 < 12 ? $0 : nil }
  }
}

extension JSONValue {
  /// The pointer to the value or member whose text has an offset, and the text of the id of its item; nil
  /// without one.
  ///
  /// An item is taken to be an object with an `id` that is an element of `items` or of the outermost array, or else
  /// of the innermost array.
  func place(of offset: Int) -> (pointer: String, id: String?) {
    var (pointer, outer) = ("", self)
    var (id, isItem) = (String?.none, false)
    var name = ""
    while let child = outer.child(around: offset) {
      if outer.kind == .array, !isItem, let found = child.value["id"], found.kind != .object {
        id = found.string ?? found.rawText
        isItem = name == "items" || pointer.isEmpty
      }
      name = child.name
      pointer += "/" + JSONPointer.escape(name)
      outer = child.value
    }
    return (pointer, id)
  }

  /// The element or the member whose value or name has an offset.
  private func child(around offset: Int) -> (name: String, value: JSONValue)? {
    let isObject = kind == .object
    for (index, value) in JSONElements(self, kind).enumerated()
    where offset < value.range.upperBound {
      return (isObject ? value.name.string ?? "" : "\(index)", value)
    }
    return nil
  }
}
