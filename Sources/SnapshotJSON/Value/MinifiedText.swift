import CSimdJSON

/// A text without the white space between its tokens, which is JSON exactly when the text is.
///
/// The text is not read: only where its strings are is found out, at several bytes a nanosecond.
///
/// - Parameter text: Any bytes.
/// - Returns: The shorter text; nil when there is nothing to take off, and for what cannot be JSON
///   since a string is not closed or two tokens have only white space between them (`1 2`).
/// - Complexity: O(n).
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
