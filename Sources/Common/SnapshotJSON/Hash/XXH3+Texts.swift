#if Server
  import CXXHash
  public import DeltaEngine

  /// The range of a text in a buffer of texts.
  public struct TextPlace: Sendable {
    /// The offset of its first byte.
    public var offset: UInt32
    /// Its length in bytes.
    public var count: UInt32

    /// Creates a range.
    public init(offset: UInt32, count: UInt32) {
      self.offset = offset
      self.count = count
    }
  }

  /// Computes the 64-bit XXH3 hashes, with seed 0, of many texts in one buffer.
  ///
  /// - Parameters:
  ///   - texts: The buffer.
  ///   - places: The ranges of the texts in the buffer.
  ///   - numbers: The indices in `places` of the texts to hash, as `UInt32` values `stride` bytes
  ///     apart; each must be valid.
  ///   - stride: The distance between the indices in bytes.
  ///   - count: The number of indices.
  ///   - hashes: Memory for the hashes, 24 bytes apart.
  public func hash64(
    texts: [UInt8], _ places: [TextPlace], numbers: UnsafeRawPointer, stride: Int, count: Int,
    into hashes: UnsafeMutableRawPointer
  ) {
    unsafe texts.withUnsafeBufferPointer { texts in
      unsafe places.withUnsafeBytes { places in
        guard let texts = texts.baseAddress, let places = places.baseAddress else { return }
        // Both types have the same layout: two 32-bit integers.
        unsafe cxxh_xxh3_64_texts(
          texts, places.assumingMemoryBound(to: cxxh_text.self), numbers, stride, count, hashes, 24)
      }
    }
  }

  /// An incremental XXH3 hash, equal to that of all bytes at once.
  @safe public struct HashStream: ~Copyable {
    private let stream: OpaquePointer

    /// Creates an empty stream.
    public init() {
      guard let stream = unsafe cxxh_stream_create() else { fatalError("out of memory") }
      unsafe self.stream = stream
    }

    deinit { unsafe cxxh_stream_destroy(stream) }

    /// Adds bytes.
    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress, bytes.count > 0 else { return }
      unsafe cxxh_stream_add(stream, start, bytes.count)
    }

    /// The 128-bit hash of all bytes added.
    public var hash: ContentHash {
      let hash = unsafe cxxh_stream_hash(stream)
      return ContentHash(high: hash.high, low: hash.low)
    }

    /// The 64-bit hash of all bytes added.
    public var hash64: UInt64 { unsafe cxxh_stream_hash64(stream) }
  }
#endif
