/// Splits comma-separated field values (RFC 9110 §5.6.1); commas in quoted strings do not count.
func listElements(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
  lines.flatMap { split($0, at: UInt8(ascii: ",")) }.filter { !$0.isEmpty }
}

/// Splits at a separator outside quoted strings, and trims whitespace.
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

func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  guard let first = bytes.firstIndex(where: { !isSpace($0) }),
    let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return [] }
  return bytes[first...last]
}

func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
  String(decoding: bytes, as: UTF8.self).lowercased()
}

/// An element of a weighted list such as `Accept` (RFC 9110 §12.4.2): `gzip;q=0.5`.
struct WeightedElement {
  /// The part before the parameters, as sent.
  let value: ArraySlice<UInt8>
  /// The weight in thousandths.
  private(set) var weight = 1000
  /// Whether it has parameters other than a weight.
  private(set) var hasParameters = false

  /// Parses an element, or returns `nil` if the weight is invalid.
  init?(_ element: ArraySlice<UInt8>) {
    let parts = split(element, at: UInt8(ascii: ";"))
    value = parts[0]
    for parameter in parts.dropFirst() {
      let pair = split(parameter, at: UInt8(ascii: "="))
      guard pair.count == 2, lowercased(pair[0]) == "q" else {
        hasParameters = true
        continue
      }
      guard let weight = thousandths(pair[1]) else { return nil }
      self.weight = weight
    }
  }
}

/// Parses a weight as thousandths, or returns `nil` if it is invalid.
func thousandths(_ bytes: ArraySlice<UInt8>) -> Int? {
  let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard parts.count <= 2, parts[0].elementsEqual("0".utf8) || parts[0].elementsEqual("1".utf8)
  else { return nil }
  let digits = parts.count == 2 ? Array(parts[1]) : []
  guard digits.count <= 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
  let text = String(decoding: Array(parts[0]) + digits, as: UTF8.self)
  let value = Int(text + String(repeating: "0", count: 3 - digits.count)) ?? 0
  return value <= 1000 ? value : nil
}
