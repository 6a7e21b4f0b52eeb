#if Server
  import CSimdJSON

  /// simdjson's first stage, with scratch memory that it reuses.
  @safe final class SIMDScanner {
    /// The most bytes of scratch memory kept between texts: 2 MiB.
    private static let scratchKept = 1 << 21

    /// Nil if it could not be allocated.
    private let scanner: OpaquePointer?

    init() { unsafe scanner = csj_scanner_create() }

    deinit {
      if let scanner = unsafe scanner { unsafe csj_scanner_destroy(scanner) }
    }

    /// Scans a text and calls `body` with what it found: the text, its tokens' offsets and their number.
    ///
    /// - Returns: What `body` returns; nil if the text is invalid or empty.
    /// - Throws: `JSONError.tooLarge` if the text is too large or memory cannot be allocated.
    func scan<Result>(
      _ bytes: [UInt8], _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt32>, Int) -> Result?
    ) throws(JSONError) -> Result? {
      guard let scanner = unsafe scanner else { throw .tooLarge(bytes) }
      defer { unsafe csj_scanner_trim(scanner, SIMDScanner.scratchKept) }
      var status = CSJ_MALFORMED
      let isInPlace = SIMDScanner.canStay(bytes)
      let result = unsafe bytes.withUnsafeBufferPointer { buffer -> Result? in
        guard let start = buffer.baseAddress else { return nil }
        unsafe status = csj_scanner_scan(scanner, start, buffer.count, isInPlace)
        guard status == CSJ_OK else { return nil }
        return unsafe body(
          csj_scanner_text(scanner), csj_scanner_indexes(scanner), csj_scanner_index_count(scanner))
      }
      if status == CSJ_TOO_LARGE { throw .tooLarge(bytes) }
      return result
    }

    /// Whether a text can be scanned without being copied.
    ///
    /// `TapeBuilder` reads up to three bytes beyond a text, which must be in its buffer. After a closing bracket
    /// their values do not matter: no number and no literal continues across it.
    private static func canStay(_ bytes: [UInt8]) -> Bool {
      guard let last = bytes.last, last == Byte.closeBrace || last == Byte.closeBracket else {
        return false
      }
      return bytes.capacity - bytes.count >= 32
    }
  }
#endif
