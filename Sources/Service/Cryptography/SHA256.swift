import CCrypto

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    unsafe digest { digest in
      unsafe bytes.lend { unsafe livedelta_sha256($0.baseAddress, $0.count, digest) }
    }
  }
}

/// What a function of libcrypto makes of something, in 32 bytes.
///
/// It fails only without memory, or where libcrypto was built or set up without SHA-256: there is no credential
/// to tell from another then, and nothing to go on with.
func digest(_ make: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: livedelta_digest_bytes) {
    buffer, count in
    guard unsafe make(buffer.baseAddress) else { fatalError("libcrypto computes no SHA-256") }
    count = buffer.count
  }
}

extension Collection<UInt8> {
  /// Lends the bytes in one piece for the duration of a call.
  func lend<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = withContiguousStorageIfAvailable(body) { return result }
    return unsafe Array(self).withUnsafeBufferPointer(body)
  }
}
