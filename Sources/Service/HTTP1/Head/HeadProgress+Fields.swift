extension HeadProgress {
  /// Reads one field line, `name: value` (RFC 9112 §5).
  mutating func readField(
    _ bytes: Span<UInt8>, _ line: Range<Int>, _ limits: RequestLimits
  ) throws(RequestError) {
    guard slotCount < limits.fieldsMax else { throw .tooManyFields(limit: limits.fieldsMax) }
    let (name, value) = try Self.splitField(bytes, line)
    let slot = FieldSlot(
      name: (name.lowerBound - base)..<(name.upperBound - base),
      value: (value.lowerBound - base)..<(value.upperBound - base))
    if slotCount < slots.count {
      slots[slotCount] = slot
    } else {
      slots.append(slot)
    }
    slotCount += 1
    try noteField(bytes.extracting(name), bytes.extracting(value))
  }

  /// Splits a field line at its colon and trims whitespace around the value.
  static func splitField(
    _ bytes: Span<UInt8>, _ line: Range<Int>
  ) throws(RequestError) -> (name: Range<Int>, value: Range<Int>) {
    var colon = line.lowerBound
    while colon < line.upperBound, unsafe ByteClass.token.contains(bytes[unchecked: colon]) {
      colon &+= 1
    }
    guard colon < line.upperBound, bytes[colon] == UInt8(ascii: ":"), colon > line.lowerBound else {
      throw .malformed(nameDefect(bytes, line, stop: colon))
    }
    var start = colon &+ 1
    var end = line.upperBound
    while start < end, unsafe bytes[unchecked: start].isWhiteSpace { start &+= 1 }
    while end > start, unsafe bytes[unchecked: end &- 1].isWhiteSpace { end &-= 1 }
    guard bytes.isFieldValue(start..<end) else { throw .malformed(.fieldValue) }
    return (line.lowerBound..<colon, start..<end)
  }

  /// The defect of a line whose field name ends at `stop` without a colon.
  private static func nameDefect(
    _ bytes: Span<UInt8>, _ line: Range<Int>, stop: Int
  ) -> RequestDefect {
    guard stop < line.upperBound, bytes[stop].isWhiteSpace else { return .fieldName }
    return stop == line.lowerBound ? .folding : .spaceBeforeColon
  }

  /// Reads the fields that control the connection and the framing.
  private mutating func noteField(
    _ name: Span<UInt8>, _ value: Span<UInt8>
  ) throws(RequestError) {
    switch name.count {
    case 4 where name.equalsIgnoringCase("host"):
      try noteHost(value)
    case 6 where name.equalsIgnoringCase("expect"):
      let isKnown = value.equalsIgnoringCase("100-continue") && expectation != .unknown
      expectation = isKnown ? .proceed : .unknown
    case 10 where name.equalsIgnoringCase("connection"):
      noteConnection(value)
    case 14 where name.equalsIgnoringCase("content-length"):
      try noteLength(value)
    case 17 where name.equalsIgnoringCase("transfer-encoding"):
      try noteCoding(value)
    default:
      break
    }
  }

  private mutating func noteHost(_ value: Span<UInt8>) throws(RequestError) {
    guard !hostSeen else { throw .malformed(.hostRepeated) }
    guard Self.isAuthority(value) else { throw .malformed(.host) }
    hostSeen = true
  }

  /// Reads the options of `Connection`, in any case (RFC 9110 §7.6.1).
  private mutating func noteConnection(_ value: Span<UInt8>) {
    var rest = ListElements(value.count)
    while let element = rest.next(in: value) {
      let option = value.extracting(element)
      if option.equalsIgnoringCase("close") { asksClose = true }
      if option.equalsIgnoringCase("keep-alive") { asksKeepAlive = true }
    }
  }
}

/// Iterates over the elements of a comma-separated list, trimming whitespace around each.
struct ListElements {
  private var position = 0
  private let count: Int

  init(_ count: Int) { self.count = count }

  /// Returns the range of the next element, which may be empty; `nil` at the end.
  mutating func next(in value: Span<UInt8>) -> Range<Int>? {
    guard position <= count else { return nil }
    let comma = value.firstIndex(of: UInt8(ascii: ","), from: position) ?? count
    var start = position
    var end = comma
    while start < end, value[start].isWhiteSpace { start += 1 }
    while end > start, value[end - 1].isWhiteSpace { end -= 1 }
    position = comma + 1
    return start..<end
  }
}
