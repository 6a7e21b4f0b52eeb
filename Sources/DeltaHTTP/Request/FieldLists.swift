/// Takes a comma-separated field value apart (RFC 9110 §5.6.1); commas in quotes do not separate.
func listElements(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
  lines.flatMap { split($0, at: UInt8(ascii: ",")) }.filter { !$0.isEmpty }
}

/// Splits at a separator outside quotes, and takes white space off the parts.
func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
  var parts: [ArraySlice<UInt8>] = []
  var start = bytes.startIndex
  var isQuoted = false
  var isEscaped = false
  for index in bytes.indices {
    let byte = bytes[index]
    if isEscaped {
      isEscaped = false
    } else if isQuoted && byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    } else if byte == separator && !isQuoted {
      parts.append(trimmed(bytes[start..<index]))
      start = index + 1
    }
  }
  parts.append(trimmed(bytes[start...]))
  return parts
}

/// Without the white space around it.
func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  guard let first = bytes.firstIndex(where: { !isSpace($0) }),
    let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return [] }
  return bytes[first...last]
}

/// ASCII bytes as a text in lower case.
func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
  String(decoding: bytes, as: UTF8.self).lowercased()
}
