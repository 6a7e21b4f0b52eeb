/// A place in the extensions of a chunk, between its size and the end of its line.
///
/// RFC 9112 §7.1.1: `*( BWS ";" BWS name [ BWS "=" BWS value ] )`, where a value is a token or a quoted string. White
/// space that the grammar calls bad must be parsed all the same; it is also accepted at the end of the line, where
/// senders that pad sizes put it.
enum ChunkExtension: Sendable {
  /// After the size or a value.
  case end
  case beforeName
  case name
  case afterName
  case beforeValue
  case token
  case quoted
  /// After a backslash in a quoted string.
  case escaped

  /// Whether the line may end here.
  var mayEnd: Bool {
    switch self {
    case .end, .name, .afterName, .token: true
    case .beforeName, .beforeValue, .quoted, .escaped: false
    }
  }

  /// Returns the place after a byte; nil if the byte has no meaning here.
  func after(_ byte: UInt8) -> ChunkExtension? {
    let isSpace = byte == 0x20 || byte == 0x09
    let isToken = ByteClass.token.contains(byte)
    let next: ChunkExtension? = byte == UInt8(ascii: ";") ? .beforeName : nil
    switch self {
    case .end: return isSpace ? .end : next
    case .beforeName: return isSpace ? .beforeName : isToken ? .name : nil
    case .name, .afterName:
      if byte == UInt8(ascii: "=") { return .beforeValue }
      if isSpace { return .afterName }
      if case .name = self, isToken { return .name }
      return next
    case .beforeValue:
      if byte == UInt8(ascii: "\"") { return .quoted }
      return isSpace ? .beforeValue : isToken ? .token : nil
    case .token: return isToken ? .token : isSpace ? .end : next
    case .quoted:
      if byte == UInt8(ascii: "\"") { return .end }
      if byte == UInt8(ascii: "\\") { return .escaped }
      return byte.isFieldValue ? .quoted : nil
    case .escaped: return byte.isFieldValue ? .quoted : nil
    }
  }
}
