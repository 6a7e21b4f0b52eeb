/// Removes a content coding from a body as it arrives, so that an oversized or invalid body is
/// refused early.
///
/// A decoder belongs to the reader of one connection and is used by one thread at a time.
public protocol BodyDecoder: AnyObject, Sendable {
  /// The bytes that the decoder holds in memory between calls.
  var heldBytes: Int { get }

  /// Decodes the next bytes of the coded content.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes, at most ``RequestReader/decodedBytesMax``.
  ///   - content: The array that the decoded bytes are appended to.
  /// - Throws: The error to refuse the request with.
  func decode(_ bytes: Span<UInt8>, into content: inout [UInt8]) throws(RequestError)

  /// Checks, after the last byte, that the coded content is complete.
  ///
  /// - Throws: The error to refuse the request with.
  func finish() throws(RequestError)
}
