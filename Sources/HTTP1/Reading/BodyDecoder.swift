/// Takes a content coding off a body while it comes, so that what the body holds is known, and
/// refused, as soon as it can be.
///
/// It belongs to the reader of one connection, and is used by one thread at a time.
public protocol BodyDecoder: AnyObject, Sendable {
  /// The bytes that it keeps in memory between calls.
  var heldBytes: Int { get }

  /// Takes what came of the coded content.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes, at most ``RequestReader/decodedBytesMax`` of them.
  ///   - content: What the content is added to.
  /// - Throws: The reason to refuse the request.
  func decode(_ bytes: Span<UInt8>, into content: inout [UInt8]) throws(RequestError)

  /// Checks, when the coded content has ended, that it is whole.
  ///
  /// - Throws: The reason to refuse the request.
  func finish() throws(RequestError)
}

extension RequestReader {
  /// Coded bytes that are decoded in one call of ``next(_:at:scratch:)``: what they become takes
  /// time, and other connections are served in between.
  public static let decodedBytesMax = 4 << 10

  /// Has the body that follows the head just found decoded.
  public mutating func decodeBody(with decoder: any BodyDecoder) {
    guard case .body(var body) = state else { return }
    body.decoder = decoder
    state = .body(body)
  }
}
