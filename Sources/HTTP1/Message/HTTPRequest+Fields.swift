/// Where one field stands in a head's bytes: four 16-bit positions in one word.
struct FieldSlot {
  var bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(name: Range<Int>, value: Range<Int>) {
    bits =
      UInt64(name.lowerBound) | UInt64(name.upperBound) &<< 16
      | UInt64(value.lowerBound) &<< 32 | UInt64(value.upperBound) &<< 48
  }

  var name: Range<Int> { Int(bits & 0xFFFF)..<Int(bits &>> 16 & 0xFFFF) }
  var value: Range<Int> { Int(bits &>> 32 & 0xFFFF)..<Int(bits &>> 48) }

  static let byteCount = 8
}

extension HTTPRequest {
  /// The number of field lines.
  public var fieldLineCount: Int { fieldCount }

  /// Gives the value of the first field line of a name, without the white space around it.
  ///
  /// The name is given in lower case: `content-type`.
  /// - Complexity: O(n) in the number of field lines; names of other lengths are not compared.
  public func field(_ lowercasedName: StaticString) -> ArraySlice<UInt8>? {
    for index in 0..<fieldCount {
      let slot = slot(index)
      if matches(slot.name, lowercasedName) { return slice(slot.value) }
    }
    return nil
  }

  /// Gives the values of all field lines of a name, which is given in lower case, in their order.
  public func fields(_ lowercasedName: StaticString) -> [ArraySlice<UInt8>] {
    var values: [ArraySlice<UInt8>] = []
    for index in 0..<fieldCount {
      let slot = slot(index)
      if matches(slot.name, lowercasedName) { values.append(slice(slot.value)) }
    }
    return values
  }

  /// Gives the field line at a position, in the order they came.
  ///
  /// - Parameter index: 0 ..< ``fieldLineCount``.
  /// - Returns: the name in lower case, and the value without the white space around it.
  public func fieldLine(at index: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    precondition(0..<fieldCount ~= index, "field line \(index) of \(fieldCount)")
    let slot = slot(index)
    return (slice(slot.name), slice(slot.value))
  }

  /// Reads the index entry of a field.
  @inline(__always)
  func slot(_ index: Int) -> FieldSlot {
    let start = fieldsOffset &+ index &* FieldSlot.byteCount
    let bytes = unsafe storage.span.bytes
    precondition(start &+ FieldSlot.byteCount <= bytes.byteCount)
    return FieldSlot(
      bits: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self))
  }

  @inline(__always)
  private func matches(_ name: Range<Int>, _ text: StaticString) -> Bool {
    guard name.count == text.utf8CodeUnitCount else { return false }
    return storage.span.extracting(name).equals(text)
  }
}
