public import LiveDeltaClient

extension DeltaClient {
  /// Creates a client over libcurl, with one persistent connection; it connects with the first request.
  ///
  /// - Parameters:
  ///   - address: The address of the service.
  ///   - limits: The limits on time and size.
  ///   - token: The credential sent with each request; `nil` for none.
  public convenience init(
    _ address: ServerAddress, limits: Limits = Limits(), token: String? = nil
  ) {
    self.init(address, limits: limits, tokens: { _ in token }, transport: CurlTransport())
  }
}
