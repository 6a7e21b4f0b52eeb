import CXXHash
public import DeltaEngine

/// XXH3, 64 bits, of some bytes.
public func hash64(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
  bytes.withUnsafeBytes { hash64($0, seed: seed) }
}

/// XXH3, 64 bits, of some bytes.
public func hash64(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> UInt64 {
  bytes.withUnsafeBytes { hash64($0, seed: seed) }
}

/// XXH3, 64 bits, of some bytes.
public func hash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
  cxxh_xxh3_64(bytes.baseAddress, bytes.count, seed)
}

/// XXH3, 128 bits, of some bytes.
public func hash128(_ bytes: [UInt8], seed: UInt64 = 0) -> ContentHash {
  bytes.withUnsafeBytes { hash128($0, seed: seed) }
}

/// XXH3, 128 bits, of some bytes.
public func hash128(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> ContentHash {
  bytes.withUnsafeBytes { hash128($0, seed: seed) }
}

/// XXH3, 128 bits, of some bytes.
public func hash128(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> ContentHash {
  let hash = cxxh_xxh3_128(bytes.baseAddress, bytes.count, seed)
  return ContentHash(high: hash.high, low: hash.low)
}
