extension HTTPRequest {
  /// Creates a request without parsing, for tests and in-process callers.
  ///
  /// The target is in origin form, `/v1/clients/u42?x=1`, and is not validated; field names may be
  /// in any case.
  public init(
    method: HTTPMethod, target: String, fields: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    precondition(
      target.utf8.count + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        < 65_535,
      "the target and the fields are over 64 KiB")
    var bytes = Array(target.utf8)
    let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
    var index = HeadIndex()
    index.path = 0..<(mark ?? bytes.count)
    index.query = mark.map { ($0 + 1)..<bytes.count }
    var slots: [FieldSlot] = []
    for (name, value) in fields {
      let nameStart = bytes.count
      bytes.append(contentsOf: name.utf8)
      let valueStart = bytes.count
      bytes.append(contentsOf: value.utf8)
      slots.append(FieldSlot(name: nameStart..<valueStart, value: valueStart..<bytes.count))
    }
    index.fieldsOffset = bytes.count
    index.fieldCount = slots.count
    self.init(
      method: method, version: .http11, storage: .head(bytes.span, slots.span, index))
    self.body = body
  }
}
