import CXXHash
public import DeltaEngine

/// XXH3, 64 bits, of some bytes.
public func hash64(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
  hash64(bytes.span, seed: seed)
}

/// XXH3, 64 bits, of some bytes.
public func hash64(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> UInt64 {
  hash64(bytes.span, seed: seed)
}

/// XXH3, 64 bits, of some bytes.
public func hash64(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
  unsafe bytes.withUnsafeBytes { unsafe cxxh_xxh3_64($0.baseAddress, $0.count, seed) }
}

/// XXH3, 128 bits, of some bytes.
public func hash128(_ bytes: [UInt8], seed: UInt64 = 0) -> ContentHash {
  hash128(bytes.span, seed: seed)
}

/// XXH3, 128 bits, of some bytes.
public func hash128(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> ContentHash {
  hash128(bytes.span, seed: seed)
}

/// XXH3, 128 bits, of some bytes.
public func hash128(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> ContentHash {
  let hash = unsafe bytes.withUnsafeBytes {
    unsafe cxxh_xxh3_128($0.baseAddress, $0.count, seed)
  }
  return ContentHash(high: hash.high, low: hash.low)
}

/// Where a text is in a buffer of texts.
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
///   - places: Where the texts appear in it.
///   - numbers: The indices in `places` of those wanted, as `UInt32`, one every `stride` bytes; each
///     must be there.
///   - stride: How far apart the numbers stand, in bytes.
///   - count: How many there are.
///   - hashes: Where the hashes go, 24 bytes apart.
public func hash64(
  texts: [UInt8], _ places: [TextPlace], numbers: UnsafeRawPointer, stride: Int, count: Int,
  into hashes: UnsafeMutableRawPointer
) {
  unsafe texts.withUnsafeBufferPointer { texts in
    unsafe places.withUnsafeBytes { places in
      guard let texts = texts.baseAddress, let places = places.baseAddress else { return }
      // The two have one layout: two numbers of 32 bits.
      unsafe cxxh_xxh3_64_texts(
        texts, places.assumingMemoryBound(to: cxxh_text.self), numbers, stride, count, hashes, 24)
    }
  }
}

/// XXH3 of bytes that come piece by piece: the same as of all of them at once.
@safe public struct HashStream: ~Copyable {
  private let stream: OpaquePointer

  /// A stream of no bytes yet.
  public init() {
    guard let stream = unsafe cxxh_stream_create() else { fatalError("out of memory") }
    unsafe self.stream = stream
  }

  deinit { unsafe cxxh_stream_destroy(stream) }

  /// Takes the next bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    unsafe cxxh_stream_add(stream, start, bytes.count)
  }

  /// The hash of what came so far, 128 bits.
  public var hash: ContentHash {
    let hash = unsafe cxxh_stream_hash(stream)
    return ContentHash(high: hash.high, low: hash.low)
  }

  /// The hash of what came so far, 64 bits.
  public var hash64: UInt64 { unsafe cxxh_stream_hash64(stream) }
}
