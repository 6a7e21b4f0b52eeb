extension HeadProgress {
  /// Reads `method SP target SP version` (RFC 9112 §3), separated by exactly one space each.
  mutating func readRequestLine(
    _ bytes: Span<UInt8>, _ line: Range<Int>, _ limits: RequestLimits
  ) throws(RequestError) {
    guard line.count <= limits.targetBytesMax + Self.requestLineOverhead else {
      throw .targetTooLong(limit: limits.targetBytesMax)
    }
    let end = line.upperBound
    guard let methodEnd = bytes.firstIndex(of: 0x20, from: line.lowerBound), methodEnd < end else {
      throw .malformed(.requestLine)
    }
    let name = bytes.extracting(line.lowerBound..<methodEnd)
    let targetStart = methodEnd + 1
    guard name.isToken,
      let targetEnd = bytes.firstIndex(of: 0x20, from: targetStart), targetEnd < end
    else { throw .malformed(.requestLine) }
    guard targetEnd - targetStart <= limits.targetBytesMax else {
      throw .targetTooLong(limit: limits.targetBytesMax)
    }
    version = try Self.version(bytes.extracting((targetEnd + 1)..<end))
    guard let method = HTTPMethod(name) else { throw .methodNotImplemented }
    self.method = method
    try readTarget(bytes, targetStart..<targetEnd)
  }

  /// Reads `HTTP/x.y` (RFC 9112 §2.3): case-sensitive, with one digit on each side of the dot.
  private static func version(_ text: Span<UInt8>) throws(RequestError) -> HTTPVersion {
    if text.equals("HTTP/1.1") { return .http11 }
    guard text.count == 8, text.extracting(first: 5).equals("HTTP/"), text[5].isDigit,
      text[6] == UInt8(ascii: "."), text[7].isDigit
    else { throw .malformed(.requestLine) }
    guard text[5] == UInt8(ascii: "1") else { throw .versionNotSupported }
    return text[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}

extension Span<UInt8> {
  /// Whether the bytes are a token (RFC 9110 §5.6.2).
  public var isToken: Bool {
    for index in 0..<count {
      if unsafe !ByteClass.token.contains(self[unchecked: index]) { return false }
    }
    return !isEmpty
  }
}
