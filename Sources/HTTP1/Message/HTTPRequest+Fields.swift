extension HTTPRequest {
  /// The number of field lines.
  public var fieldLineCount: Int { fieldPlaces.count }

  /// Gives the value of the first field line of a name, without the white space around it.
  ///
  /// The name is given in lower case: `content-type`.
  /// - Complexity: O(n) in the number of field lines; names of other lengths are not compared.
  public func field(_ lowercasedName: StaticString) -> ArraySlice<UInt8>? {
    let places = fieldPlaces
    for index in 0..<places.count {
      let slot = slot(index, places.offset)
      if matches(slot.name, lowercasedName) { return slice(slot.value) }
    }
    return nil
  }

  /// Gives the values of all field lines of a name, which is given in lower case, in their order.
  public func fields(_ lowercasedName: StaticString) -> [ArraySlice<UInt8>] {
    var values: [ArraySlice<UInt8>] = []
    let places = fieldPlaces
    for index in 0..<places.count {
      let slot = slot(index, places.offset)
      if matches(slot.name, lowercasedName) { values.append(slice(slot.value)) }
    }
    return values
  }

  /// Gives the field line at a position, in the order they came.
  ///
  /// - Parameter index: 0 ..< ``fieldLineCount``.
  /// - Returns: the name in lower case, and the value without the white space around it.
  public func fieldLine(at index: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    let places = fieldPlaces
    precondition(0..<places.count ~= index, "field line \(index) of \(places.count)")
    let slot = slot(index, places.offset)
    return (slice(slot.name), slice(slot.value))
  }

  /// Reads the place of a field.
  @inline(__always)
  private func slot(_ index: Int, _ offset: Int) -> FieldSlot {
    FieldSlot(bits: storage.word(at: offset &+ index &* FieldSlot.byteCount))
  }

  @inline(__always)
  private func matches(_ name: Range<Int>, _ text: StaticString) -> Bool {
    guard name.count == text.utf8CodeUnitCount else { return false }
    return storage.span.extracting(name).equals(text)
  }
}
