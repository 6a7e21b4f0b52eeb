extension HTTPRequest {
  /// Makes a request by hand, as tests and in-process callers do.
  ///
  /// The target is in origin form, `/v1/clients/u42?x=1`, and is not checked; field names may be
  /// in any case.
  public init(
    method: HTTPMethod, target: String, fields: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    precondition(
      target.utf8.count + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        < 65_536,
      "the target and the fields are over 64 KiB")
    self.init(method: method, version: .http11)
    self.body = body
    storage = Array(target.utf8)
    let mark = storage.firstIndex(of: UInt8(ascii: "?"))
    pathRange = 0..<(mark ?? storage.count)
    queryRange = mark.map { ($0 + 1)..<storage.count }
    var slots: [FieldSlot] = []
    for (name, value) in fields {
      let nameStart = storage.count
      storage.append(contentsOf: name.utf8)
      let valueStart = storage.count
      storage.append(contentsOf: value.utf8)
      let end = storage.count
      slots.append(FieldSlot(name: nameStart..<valueStart, value: valueStart..<end))
    }
    fieldsOffset = storage.count
    fieldCount = slots.count
    storage = Self.storage(storage.span, slots)
  }
}
