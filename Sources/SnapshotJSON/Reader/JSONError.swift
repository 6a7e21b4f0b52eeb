/// Why a text cannot be read as JSON.
public enum JSONError: Error, Hashable, Sendable {
  /// The text is not JSON (RFC 8259).
  ///
  /// `offset` is that of the first invalid byte, or the length of the text if it ends too early;
  /// `reason` says what was expected or is wrong.
  case syntax(offset: Int, reason: String)
  /// Objects and arrays are nested deeper than `limit`; `offset` is that of the first bracket in
  /// excess.
  case tooDeep(offset: Int, limit: Int)
  /// The text is larger than `limit`, or there is not enough memory.
  case tooLarge(byteCount: Int, limit: Int)

  /// The most bytes in a text: 1 GiB, so that offsets have 32 bits.
  static let byteCountMax = 1 << 30

  static func tooLarge(_ bytes: [UInt8]) -> JSONError {
    .tooLarge(byteCount: bytes.count, limit: byteCountMax)
  }
}

extension JSONError: CustomStringConvertible {
  /// A one-sentence description with the offset or the limit.
  public var description: String {
    switch self {
    case .syntax(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .tooDeep(let offset, let limit): "nested deeper than \(limit) at byte \(offset)"
    case .tooLarge(let byteCount, let limit): "\(byteCount) bytes of JSON; at most \(limit)"
    }
  }
}
