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

extension RequestReader {
  /// The most coded bytes that one call of ``next(_:at:scratch:)`` decodes; other connections are
  /// served between calls.
  public static let decodedBytesMax = 4 << 10

  /// Decodes the body that follows the head just read.
  public mutating func decodeBody(with decoder: any BodyDecoder) {
    guard case .body(var body) = state else { return }
    body.decoder = decoder
    state = .body(body)
  }
}
