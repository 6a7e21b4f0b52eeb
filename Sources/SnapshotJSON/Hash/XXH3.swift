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

/// Where a text stands in a buffer of texts.
public struct TextPlace: Sendable {
  /// The index of its first byte.
  public var offset: UInt32
  /// The number of its bytes.
  public var count: UInt32

  /// A text's place.
  public init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }
}

/// XXH3, 64 bits, seed 0, of many texts in one buffer.
///
/// - Parameters:
///   - texts: The buffer.
///   - places: Where the texts stand in it.
///   - numbers: The indices in `places` of those wanted, as `UInt32`, one every `stride` bytes; each
///     must be there.
///   - stride: How far apart the numbers stand, in bytes.
///   - count: How many there are.
///   - hashes: Where the hashes go, 24 bytes apart.
public func hash64(
  texts: [UInt8], _ places: [TextPlace], numbers: UnsafeRawPointer, stride: Int, count: Int,
  into hashes: UnsafeMutableRawPointer
) {
  texts.withUnsafeBufferPointer { texts in
    places.withUnsafeBytes { places in
      guard let texts = texts.baseAddress, let places = places.baseAddress else { return }
      // The two have one layout: two numbers of 32 bits.
      cxxh_xxh3_64_texts(
        texts, places.assumingMemoryBound(to: cxxh_text.self), numbers, stride, count, hashes, 24)
    }
  }
}

/// XXH3 of bytes that come piece by piece: the same as of all of them at once.
public struct HashStream: ~Copyable {
  private let stream: OpaquePointer

  /// A stream of no bytes yet.
  public init() {
    guard let stream = cxxh_stream_create() else { fatalError("out of memory") }
    self.stream = stream
  }

  deinit { cxxh_stream_destroy(stream) }

  /// Takes the next bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    cxxh_stream_add(stream, start, bytes.count)
  }

  /// The hash of what came so far, 128 bits.
  public var hash: ContentHash {
    let hash = cxxh_stream_hash(stream)
    return ContentHash(high: hash.high, low: hash.low)
  }

  /// The hash of what came so far, 64 bits.
  public var hash64: UInt64 { cxxh_stream_hash64(stream) }
}
