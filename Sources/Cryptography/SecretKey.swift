import CCrypto

/// A secret that authenticates bytes, and encrypts them.
package struct SecretKey: Sendable {
  private let bytes: [UInt8]
  private static let sealKeyBytes = livedelta_seal_key_bytes
  private static let tagBytes = livedelta_tag_bytes
  /// The bytes of the nonce that a sealed text begins with.
  package static let nonceBytes = livedelta_nonce_bytes

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// A key of 256 bits from the system's generator.
  package static func random() -> SecretKey { SecretKey(randomBytes(sealKeyBytes)) }

  /// The HMAC-SHA-256 of some bytes (RFC 2104), 32 bytes.
  package func code(of message: some Collection<UInt8>) -> [UInt8] {
    unsafe digest { code in
      unsafe bytes.lend { key in
        unsafe message.lend {
          unsafe livedelta_hmac_sha256(key.baseAddress, key.count, $0.baseAddress, $0.count, code)
        }
      }
    }
  }

  /// Whether a code is that of some bytes, in a time that does not depend on where it differs.
  package func verifies(_ code: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool
  {
    isEqualInConstantTime(self.code(of: message), code)
  }

  /// Encrypts by ChaCha20-Poly1305 (RFC 8439): a random nonce, the encrypted bytes, and a tag.
  ///
  /// - Returns: `nil` if the key has not 256 bits, if there is nothing to encrypt, or if libcrypto lacks the cipher.
  package func seal(_ message: [UInt8]) -> [UInt8]? {
    guard bytes.count == Self.sealKeyBytes, !message.isEmpty else { return nil }
    let nonce = Self.randomBytes(Self.nonceBytes)
    var sealed = [UInt8](repeating: 0, count: message.count + Self.tagBytes)
    let isSealed = unsafe sealed.withUnsafeMutableBufferPointer {
      unsafe livedelta_seal(bytes, nonce, message, message.count, $0.baseAddress)
    }
    return isSealed ? nonce + sealed : nil
  }

  /// Decrypts what ``seal(_:)`` made; `nil` for anything else, and for what another key sealed.
  package func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard bytes.count == Self.sealKeyBytes, sealed.count > Self.nonceBytes + Self.tagBytes else {
      return nil
    }
    let (nonce, rest) = (Array(sealed.prefix(Self.nonceBytes)), Array(sealed[Self.nonceBytes...]))
    var message = [UInt8](repeating: 0, count: rest.count - Self.tagBytes)
    let isOpen = unsafe message.withUnsafeMutableBufferPointer {
      unsafe livedelta_open(bytes, nonce, rest, rest.count, $0.baseAddress)
    }
    return isOpen ? message : nil
  }

  private static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}

/// Whether two secrets are equal, in a time that depends on their sizes alone.
package func isEqualInConstantTime(
  _ a: some Collection<UInt8>, _ b: some Collection<UInt8>
) -> Bool {
  unsafe a.lend { a in
    unsafe b.lend { b in
      unsafe a.count == b.count && livedelta_is_equal(a.baseAddress, b.baseAddress, a.count)
    }
  }
}
