/// A view of a document's bytes and tokens, without bounds checks in release builds.
///
/// Only `JSONStorage.withView` creates views; they must not outlive its call. `TapeBuilder`
/// guarantees that the offsets of tokens are within the text and their indices on the tape; debug
/// builds check each access.
@safe struct DocumentView: BitwiseCopyable {
  private let text: UnsafePointer<UInt8>
  private let tape: UnsafePointer<Token>
  let byteCount: Int
  private let tokenCount: Int

  fileprivate init?(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: UnsafeBufferPointer<Token>
  ) {
    guard let bytes = text.baseAddress, let tokens = tape.baseAddress else { return nil }
    unsafe self.text = bytes
    unsafe self.tape = tokens
    byteCount = text.count
    tokenCount = tape.count
  }

  @inline(__always)
  subscript(index: UInt32) -> Token {
    assert(Int(index) < tokenCount, "token \(index) of \(tokenCount)")
    return unsafe tape[Int(index)]
  }

  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    assert(0..<byteCount ~= offset, "byte \(offset) of \(byteCount)")
    return unsafe text[offset]
  }

  /// Eight bytes as a big-endian number.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    assert(offset >= 0 && offset + 8 <= byteCount, "bytes \(offset)... of \(byteCount)")
    return unsafe UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self).bigEndian
  }

  @inline(__always)
  func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    assert(range.lowerBound >= 0 && range.upperBound <= byteCount, "\(range) of \(byteCount)")
    return body(unsafe UnsafeBufferPointer(start: text + range.lowerBound, count: range.count).span)
  }

  /// Calls `body` with each unescaped byte of a string.
  func unescape(_ string: Token, _ body: (UInt8) -> Void) {
    withBytes(Int(string.offset) + 1..<Int(string.end) - 1) { JSONText.unescape($0, body) }
  }
}

extension JSONStorage {
  /// Calls `body` with a view of the document; returns nil if there are no tokens.
  func withView<Result>(_ body: (DocumentView) -> Result) -> Result? {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe tape.withTokens { tape in
        unsafe DocumentView(bytes, tape).map(body)
      }
    }
  }
}
