import CXXHash
public import DeltaEngine

/// Returns the 64-bit XXH3 hash of some bytes.
public func hash64(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
  hash64(bytes.span, seed: seed)
}

/// Returns the 64-bit XXH3 hash of some bytes.
public func hash64(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> UInt64 {
  hash64(bytes.span, seed: seed)
}

/// Returns the 64-bit XXH3 hash of some bytes.
public func hash64(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
  unsafe bytes.withUnsafeBytes { unsafe cxxh_xxh3_64($0.baseAddress, $0.count, seed) }
}

/// Returns the 128-bit XXH3 hash of some bytes.
public func hash128(_ bytes: [UInt8], seed: UInt64 = 0) -> ContentHash {
  hash128(bytes.span, seed: seed)
}

/// Returns the 128-bit XXH3 hash of some bytes.
public func hash128(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> ContentHash {
  hash128(bytes.span, seed: seed)
}

/// Returns the 128-bit XXH3 hash of some bytes.
public func hash128(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> ContentHash {
  let hash = unsafe bytes.withUnsafeBytes {
    unsafe cxxh_xxh3_128($0.baseAddress, $0.count, seed)
  }
  return ContentHash(high: hash.high, low: hash.low)
}
