import CSigning

/// A key pair that tokens are signed with.
final class SigningKey: Sendable {
  enum Kind {
    case p256, ed25519, rsa(bits: UInt32)
  }

  private nonisolated(unsafe) let key: OpaquePointer

  init(_ kind: Kind) {
    let key =
      switch kind {
      case .p256: signing_key_make("P-256", 0)
      case .ed25519: signing_key_make("ED25519", 0)
      case .rsa(let bits): signing_key_make("RSA", bits)
      }
    guard let key else { fatalError("libcrypto makes no key pair") }
    self.key = key
  }

  deinit { signing_key_free(key) }

  /// The uncompressed point of P-256, the 32 bytes of Ed25519, the modulus of RSA.
  var publicBytes: [UInt8] { filled { signing_key_public(key, $0, $1) } }

  /// The key of P-256 as a `SubjectPublicKeyInfo` (RFC 5480).
  var publicDER: [UInt8] {
    let head: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A,
      0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    return head + publicBytes
  }

  /// A signature as libcrypto makes it; that of P-256 is in DER.
  func signature(_ text: String, digest: String? = "SHA256", isPSS: Bool = false) -> [UInt8] {
    let message = Array(text.utf8)
    return filled { signing_sign(key, digest, isPSS, message, message.count, $0, $1) }
  }

  /// A signature of P-256 as r and s.
  func pair(_ text: String, digest: String = "SHA256") -> [UInt8] {
    let der = signature(text, digest: digest)
    return [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      guard let start = buffer.baseAddress, signing_pair(der, der.count, start) else { return }
      count = 64
    }
  }

  private func filled(_ fill: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: 2048) { buffer, count in
      count = fill(buffer.baseAddress, buffer.count)
    }
    precondition(!bytes.isEmpty, "libcrypto refuses")
    return bytes
  }
}
