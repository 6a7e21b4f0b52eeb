/// Why some bytes are not JSON that this reader takes.
public enum JSONError: Error, Hashable, Sendable {
  /// The bytes are not JSON (RFC 8259).
  ///
  /// `offset` is that of the first byte that no JSON text can have there, or the number of bytes
  /// when they end too early; `reason` says what was expected or is wrong.
  case syntax(offset: Int, reason: String)
  /// Objects and arrays are nested deeper than `limit`; `offset` is that of the first bracket
  /// too many.
  case tooDeep(offset: Int, limit: Int)
  /// There are more bytes than the reader, or the machine's memory, can take at once.
  case tooLarge(byteCount: Int, limit: Int)
}

extension JSONError: CustomStringConvertible {
  /// What is wrong, where, and the limit, in one sentence.
  public var description: String {
    switch self {
    case .syntax(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .tooDeep(let offset, let limit): "nested deeper than \(limit) at byte \(offset)"
    case .tooLarge(let byteCount, let limit): "\(byteCount) bytes of JSON; at most \(limit)"
    }
  }
}
