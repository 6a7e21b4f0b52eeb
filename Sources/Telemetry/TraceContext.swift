/// A position in a trace (W3C Trace Context, `traceparent`).
package struct TraceContext: Sendable, Hashable {
  /// 32 hexadecimal digits.
  package let trace: ArraySlice<UInt8>
  /// The span: 16 hexadecimal digits.
  package let span: ArraySlice<UInt8>
  /// Two hexadecimal digits.
  package let flags: ArraySlice<UInt8>

  /// Parses the value of the field; returns `nil` if it is malformed.
  package init?(_ field: ArraySlice<UInt8>) {
    let parts = field.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.prefix(4).map(\.count) == [2, 32, 16, 2],
      parts.prefix(4).joined().allSatisfy({ Self.isHex($0) }),
      // §3.2.2: version ff is invalid, and version 00 has exactly four parts.
      !parts[0].elementsEqual("ff".utf8), parts.count == 4 || !parts[0].elementsEqual("00".utf8),
      parts[1].contains(where: { $0 != 0x30 }), parts[2].contains(where: { $0 != 0x30 })
    else { return nil }
    (trace, span, flags) = (parts[1], parts[2], parts[3])
  }

  /// Whether the caller records its span (§3.2.2.5): the lowest bit of the flags.
  package var isSampled: Bool {
    guard let digit = flags.last else { return false }
    return (digit < 0x3A ? digit : digit - 0x57) & 1 == 1
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte
  }
}
