#if Server
  import CSimdJSON

  /// Returns a text without white space between tokens; the result is valid JSON if and only if the
  /// text is.
  ///
  /// The text is not parsed; only strings are recognized, at several bytes per nanosecond.
  ///
  /// - Parameter text: Any bytes.
  /// - Returns: The minified text; nil if there is nothing to remove or the text cannot be valid,
  ///   because a string is not closed or two tokens are separated only by white space (`1 2`).
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public func minifiedText(_ text: [UInt8]) -> [UInt8]? {
    let capacity = text.count + Int(CSJ_MINIFY_SLACK)
    let minified = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { out, count in
      unsafe text.withUnsafeBufferPointer { text in
        guard let text = text.baseAddress, let start = out.baseAddress else { return }
        count = unsafe csj_minify(text, capacity - Int(CSJ_MINIFY_SLACK), start)
      }
    }
    return minified.isEmpty || minified.count == text.count ? nil : minified
  }

  /// Returns the length in bytes of the object that a text begins with; 0 if there is none or its end is
  /// not found.
  ///
  /// The text is not parsed: brackets outside of strings are counted, at several bytes per nanosecond.
  public func objectLength(_ text: Span<UInt8>) -> Int {
    guard !text.isEmpty, text[0] == Byte.openBrace else { return 0 }
    let length = unsafe text.withUnsafeBufferPointer { text in
      unsafe text.baseAddress.map { unsafe csj_value_length($0, text.count) } ?? 0
    }
    return length > 0 && text[length - 1] == Byte.closeBrace ? length : 0
  }
#endif
