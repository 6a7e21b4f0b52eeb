package enum KeySecret {
  /// A new secret: `ld_` and 256 random bits as base64url (RFC 4648 §5), from the system's generator.
  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return "ld_" + base64URL(bytes)
  }
}
