/// A response: a status, fields, and content.
///
/// The server sets `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` itself; setting
/// them here would send them twice.
public struct HTTPResponse: Sendable {
  /// The status code, from 200 to 599.
  public var status: Int
  /// The content; for a HEAD request only its length is sent.
  public var body: HTTPBody
  /// The code of the problem that it reports, for logs; not sent.
  public var problemCode: String?
  /// The field lines as sent, each with its CRLF.
  var lines: [UInt8] = []

  /// Creates a response without fields.
  public init(status: Int, body: HTTPBody = .none) {
    precondition(200...599 ~= status, "status \(status)")
    self.status = status
    self.body = body
  }

  /// Sets a field, replacing any with the same name.
  ///
  /// Control characters in the value are sent as spaces.
  public mutating func setField(_ name: StaticString, _ value: some Collection<UInt8>) {
    removeFields(name)
    appendField(name, value)
  }

  /// Sets a field to a text, replacing any with the same name.
  public mutating func setField(_ name: StaticString, _ value: String) {
    setField(name, value.utf8)
  }

  /// Sets a field to a decimal number, replacing any with the same name.
  public mutating func setField(_ name: StaticString, _ value: Int) {
    setField(name, String(value).utf8)
  }

  /// The size of the field lines, in bytes.
  public var fieldBytes: Int { lines.count }

  /// Adds a field line, keeping others with the same name.
  public mutating func appendField(_ name: StaticString, _ value: some Collection<UInt8>) {
    let isCopied: Void? = value.withContiguousStorageIfAvailable { bytes in
      unsafe appendField(name, bytes.span)
    }
    if isCopied == nil { appendField(name, Array(value).span) }
  }

  /// Adds a field line, keeping others with the same name.
  public mutating func appendField(_ name: StaticString, _ value: Span<UInt8>) {
    if lines.capacity == 0 { lines.reserveCapacity(256) }
    let nameCount = name.utf8CodeUnitCount
    lines.append(addingCapacity: nameCount + value.count + 4) { line in
      unsafe line.withUnsafeMutableBufferPointer { buffer, count in
        guard let start = buffer.baseAddress else { return }
        unsafe start.initialize(from: name.utf8Start, count: nameCount)
        unsafe buffer[nameCount] = UInt8(ascii: ":")
        unsafe buffer[nameCount &+ 1] = UInt8(ascii: " ")
        let valueStart = unsafe start + nameCount + 2
        unsafe value.withUnsafeBufferPointer { source in
          guard let from = source.baseAddress else { return }
          unsafe valueStart.initialize(from: from, count: source.count)
        }
        unsafe valueStart[value.count] = 0x0D
        unsafe valueStart[value.count &+ 1] = 0x0A
        count = nameCount + value.count + 4
      }
    }
    if !value.isFieldValue(0..<value.count) { disarm(value.count) }
  }

  /// Replaces the control characters in the value of the last line with spaces, so that none ends
  /// the field early.
  private mutating func disarm(_ valueCount: Int) {
    let end = lines.count - 2
    for index in (end - valueCount)..<end where !lines[index].isFieldValue {
      lines[index] = UInt8(ascii: " ")
    }
  }

  /// Adds a field line with a text, keeping others with the same name.
  public mutating func appendField(_ name: StaticString, _ value: String) {
    appendField(name, value.utf8)
  }

  /// Returns the value of the first field with a name, in any case.
  public func field(_ name: StaticString) -> [UInt8]? {
    guard let line = lineRange(name) else { return nil }
    return Array(
      lines[(line.lowerBound + name.utf8CodeUnitCount + 2)..<(line.upperBound - 2)])
  }

  /// Removes all fields with a name, in any case.
  public mutating func removeFields(_ name: StaticString) {
    guard !lines.isEmpty else { return }
    while let line = lineRange(name) { lines.removeSubrange(line) }
  }

  private func lineRange(_ name: StaticString) -> Range<Int>? {
    let span = lines.span
    var start = 0
    while start < span.count {
      guard let feed = span.firstIndex(of: 0x0A, from: start) else { return nil }
      let nameEnd = start + name.utf8CodeUnitCount
      if nameEnd < feed, span[nameEnd] == UInt8(ascii: ":"),
        span.extracting(start..<nameEnd).sameName(as: name)
      {
        return start..<(feed + 1)
      }
      start = feed + 1
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Compares field names, ignoring ASCII case.
  fileprivate func sameName(as text: StaticString) -> Bool {
    let start = unsafe text.utf8Start
    for index in 0..<count {
      if unsafe lowercased(self[index]) != lowercased(start[index]) { return false }
    }
    return true
  }
}
