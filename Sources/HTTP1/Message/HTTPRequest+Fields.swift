/// Where one field stands in a head's bytes.
struct FieldSlot {
  var name: Range<UInt16>
  var value: Range<UInt16>

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

  /// Reads the index entry of a field: four little-endian 16-bit offsets.
  @inline(__always)
  func slot(_ index: Int) -> FieldSlot {
    let start = fieldsOffset &+ index &* FieldSlot.byteCount
    return FieldSlot(
      name: offset(start)..<offset(start &+ 2), value: offset(start &+ 4)..<offset(start &+ 6))
  }

  @inline(__always)
  private func offset(_ position: Int) -> UInt16 {
    UInt16(storage[position]) | UInt16(storage[position &+ 1]) << 8
  }

  @inline(__always)
  private func matches(_ name: Range<UInt16>, _ text: StaticString) -> Bool {
    guard name.count == text.utf8CodeUnitCount else { return false }
    return storage.span.extracting(Int(name.lowerBound)..<Int(name.upperBound)).equals(text)
  }
}
