public import DeltaEngine

#if Server
  import CXXHash
#endif

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
  unsafe bytes.withUnsafeBytes { bytes in
    #if Server
      unsafe cxxh_xxh3_64(bytes.baseAddress, bytes.count, seed)
    #else
      PortableXXH3(bytes, seed: seed).hash64
    #endif
  }
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
  unsafe bytes.withUnsafeBytes { bytes in
    #if Server
      let hash = unsafe cxxh_xxh3_128(bytes.baseAddress, bytes.count, seed)
      return ContentHash(high: hash.high, low: hash.low)
    #else
      PortableXXH3(bytes, seed: seed).hash128
    #endif
  }
}
