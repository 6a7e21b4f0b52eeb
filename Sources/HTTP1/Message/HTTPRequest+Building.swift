extension HTTPRequest {
  /// Makes a request by hand, as tests and in-process callers do.
  ///
  /// The target is in origin form, `/v1/clients/u42?x=1`, and is not checked; field names may be
  /// in any case.
  public init(
    method: HTTPMethod, target: String, fields: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.init(method: method, version: .http11)
    self.body = body
    storage = Array(target.utf8)
    let mark = storage.firstIndex(of: UInt8(ascii: "?"))
    pathRange = 0..<UInt16(clamping: mark ?? storage.count)
    queryRange = mark.map { UInt16(clamping: $0 + 1)..<UInt16(clamping: storage.count) }
    var slots: [FieldSlot] = []
    for (name, value) in fields {
      let nameStart = UInt16(clamping: storage.count)
      storage.append(contentsOf: name.lowercased().utf8)
      let valueStart = UInt16(clamping: storage.count)
      storage.append(contentsOf: value.utf8)
      let end = UInt16(clamping: storage.count)
      slots.append(FieldSlot(name: nameStart..<valueStart, value: valueStart..<end))
    }
    appendIndex(slots)
  }

  /// Writes the index of the fields behind the head's bytes.
  mutating func appendIndex(_ slots: [FieldSlot]) {
    fieldsOffset = storage.count
    fieldCount = slots.count
    for slot in slots {
      for offset in [
        slot.name.lowerBound, slot.name.upperBound, slot.value.lowerBound, slot.value.upperBound,
      ] {
        storage.append(UInt8(truncatingIfNeeded: offset))
        storage.append(UInt8(truncatingIfNeeded: offset >> 8))
      }
    }
  }
}
