#if Server
  import CSimdJSON

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
