extension HeadProgress {
  /// Reads a request target (RFC 9112 §3.2) in origin, absolute or asterisk form.
  ///
  /// Escapes and dot segments are left for the router to interpret. The authority form belongs to
  /// CONNECT, which is not implemented.
  mutating func readTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestError) {
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "/"):
      try readPath(bytes, range)
    case UInt8(ascii: "*") where range.count == 1 && method == .options:
      path = range
    default:
      try readAbsoluteTarget(bytes, range)
    }
  }

  private mutating func readPath(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestError) {
    var mark: Int?
    for index in range {
      let byte = unsafe bytes[unchecked: index]
      guard ByteClass.target.contains(byte) else { throw .malformed(.target) }
      if byte == UInt8(ascii: "?"), mark == nil { mark = index }
    }
    path = range.lowerBound..<(mark ?? range.upperBound)
    query = mark.map { ($0 + 1)..<range.upperBound }
  }

  /// Reads `http://host:port/path?query` (RFC 9112 §3.2.2).
  private mutating func readAbsoluteTarget(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(RequestError) {
    let text = bytes.extracting(range)
    let schemeCount: Int
    if text.count > 7, text.extracting(first: 7).equalsIgnoringCase("http://") {
      schemeCount = 7
    } else if text.count > 8, text.extracting(first: 8).equalsIgnoringCase("https://") {
      schemeCount = 8
    } else {
      throw .malformed(.target)
    }
    let start = range.lowerBound + schemeCount
    var end = start
    while end < range.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
      end += 1
    }
    guard Self.isAuthority(bytes.extracting(start..<end)) else { throw .malformed(.host) }
    authority = start..<end
    try readPath(bytes, end..<range.upperBound)
  }

  /// Whether the bytes are `uri-host [ ":" port ]` with a nonempty host.
  ///
  /// An empty host and user information are invalid (RFC 9110 §4.2.1, §4.2.4).
  static func isAuthority(_ text: Span<UInt8>) -> Bool {
    let hostEnd: Int
    if !text.isEmpty, text[0] == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: UInt8(ascii: "]"), from: 1),
        isAddress(text.extracting(1..<bracket))
      else { return false }
      hostEnd = bracket + 1
    } else {
      hostEnd = text.firstIndex(of: UInt8(ascii: ":"), from: 0) ?? text.count
      for index in 0..<hostEnd where !ByteClass.host.contains(text[index]) { return false }
    }
    guard hostEnd > 0 else { return false }
    return hostEnd == text.count
      || (text[hostEnd] == UInt8(ascii: ":") && isPort(text.extracting((hostEnd + 1)...)))
  }

  /// Whether the bytes between brackets could be an IPv6 address; `::ffff:1.2.3.4` is accepted.
  private static func isAddress(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count {
      let byte = text[index]
      guard byte.hexValue != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") else {
        return false
      }
    }
    return text.count >= 2
  }

  private static func isPort(_ text: Span<UInt8>) -> Bool {
    guard text.count <= 5 else { return false }
    var port = 0
    for index in 0..<text.count {
      guard text[index].isDigit else { return false }
      port = port * 10 + Int(text[index] - 0x30)
    }
    return port <= 65_535
  }
}
