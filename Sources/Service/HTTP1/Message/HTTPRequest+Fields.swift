extension HTTPRequest {
  /// Returns the value of the first field with a name, whitespace trimmed.
  ///
  /// The name must be lowercase: `content-type`.
  /// - Complexity: O(*n*) in the number of field lines; only names of equal length are compared.
  public func field(_ lowercasedName: StaticString) -> ArraySlice<UInt8>? {
    let places = fieldPlaces
    for index in 0..<places.count {
      let slot = slot(index, places.offset)
      if matches(slot.name, lowercasedName) { return slice(slot.value) }
    }
    return nil
  }

  /// Returns the values of all fields with a name, which must be lowercase, in order.
  public func fields(_ lowercasedName: StaticString) -> [ArraySlice<UInt8>] {
    var values: [ArraySlice<UInt8>] = []
    let places = fieldPlaces
    for index in 0..<places.count {
      let slot = slot(index, places.offset)
      if matches(slot.name, lowercasedName) { values.append(slice(slot.value)) }
    }
    return values
  }

  /// Whether there are several field lines with a name, which must be lowercase.
  public func repeats(_ lowercasedName: StaticString) -> Bool {
    var count = 0
    let places = fieldPlaces
    for index in 0..<places.count where matches(slot(index, places.offset).name, lowercasedName) {
      count += 1
    }
    return count > 1
  }

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
