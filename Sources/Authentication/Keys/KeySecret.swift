/// Makes secrets.
public enum KeySecret {
  /// A new secret: `ld_` and 256 random bits as base64url (RFC 4648 §5), from the system's generator.
  public static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return "ld_" + base64URL(bytes)
  }
}

/// Bytes as base64url without padding.
func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.enumerated().reduce(UInt32(0)) { bits, byte in
      bits | UInt32(byte.element) << (16 - 8 * byte.offset)
    }
    for place in 0...group.count { text.append(alphabet[Int(bits >> (18 - 6 * place) & 63)]) }
  }
  return String(decoding: text, as: UTF8.self)
}
