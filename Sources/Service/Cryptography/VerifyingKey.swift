import CCrypto

/// The public half of a key pair; it verifies signatures of the one algorithm that it is for.
@safe package final class VerifyingKey: Sendable {
  // libcrypto's key. It is made before this object is, never changed, and freed once, with it; libcrypto has
  // any number of threads verify with one key at once (openssl-threads(7)).
  private nonisolated(unsafe) let key: OpaquePointer

  private init?(_ key: OpaquePointer?) {
    guard let key = unsafe key else { return nil }
    unsafe self.key = key
  }

  deinit { unsafe livedelta_key_free(key) }

  /// A key for RS256; `nil` if the numbers, in big-endian bytes, are none, or the modulus has fewer than 2,048
  /// bits (RFC 7518 §3.3) or more than 8,192.
  package convenience init?(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
    unsafe self.init(livedelta_rsa(modulus, modulus.count, exponent, exponent.count))
  }

  /// A key for ES256; `nil` if the coordinates have not 32 bytes each (RFC 7518 §6.2.1.2), or are not of a point
  /// on the curve.
  package convenience init?(p256X x: [UInt8], y: [UInt8]) {
    let size = livedelta_p256_coordinate_bytes
    guard x.count == size, y.count == size else { return nil }
    unsafe self.init(livedelta_p256(x, y))
  }

  /// A key for EdDSA with Ed25519 (RFC 8032 §5.1.5); `nil` if it has not 32 bytes.
  package convenience init?(ed25519 bytes: [UInt8]) {
    guard bytes.count == livedelta_ed25519_key_bytes else { return nil }
    unsafe self.init(livedelta_ed25519(bytes))
  }

  /// Whether a signature of some bytes was made with the private half.
  package func verifies(_ signature: [UInt8], of message: some Collection<UInt8>) -> Bool {
    unsafe message.lend {
      unsafe livedelta_verify(key, signature, signature.count, $0.baseAddress, $0.count)
    }
  }
}
