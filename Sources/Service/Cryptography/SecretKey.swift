import CCrypto

/// A secret that authenticates bytes.
package struct SecretKey: Sendable {
  private let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

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
