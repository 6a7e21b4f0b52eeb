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
