/// Carries requests to a service: over libcurl, over `URLSession`, or over anything else.
///
/// A transport does not interpret what it carries. It removes content codings, follows no redirect, and
/// sends no credential of its own.
public protocol DeltaTransport: Sendable {
  /// Sends a request and returns the final response, whatever its status.
  ///
  /// Cancelling the task ends the request at once.
  ///
  /// - Throws: `ClientError`: `transport`, `timedOut`, `cancelled` or `answerTooLarge`.
  func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse
}

/// A request, and what to do with its response.
public struct ClientRequest: Sendable {
  /// Where to send it.
  public var address: ServerAddress
  /// The method, sent as it is.
  public var method: String
  /// The percent-encoded path and query, sent as they are.
  public var path: String
  /// The fields in addition to those that the transport sets; one with an empty value is sent empty.
  public var fields: [HeaderField]
  /// The body; `nil` for none, without a length.
  public var body: [UInt8]?
  /// The timeout for connecting, in milliseconds.
  public var connectMilliseconds = 5000
  /// The timeout for the whole response, in milliseconds; 0 for a response without end.
  public var timeoutMilliseconds = 0
  /// The seconds without data after which the connection is considered broken; 0 for no limit.
  public var stallSeconds = 0
  /// The largest body that is collected, in bytes.
  public var bodyBytesMax = 256 << 20
  /// Called repeatedly with the number of body bytes sent so far; a transport may leave it out.
  public var onSent: (@Sendable (Int) -> Void)?
  /// Called with the status and the fields before the first piece of a successful response.
  public var onHead: (@Sendable (ClientResponse) -> Void)?
  /// Receives the body of a successful response as it arrives; if `nil`, the body is collected.
  ///
  /// If it returns `false`, the request ends with `answerTooLarge`.
  public var onPiece: (@Sendable ([UInt8]) -> Bool)?

  /// Creates a request.
  public init(
    _ method: String, _ path: String, at address: ServerAddress, fields: [HeaderField] = [],
    body: [UInt8]? = nil
  ) {
    (self.method, self.path, self.address) = (method, path, address)
    (self.fields, self.body) = (fields, body)
  }

  /// Returns the request with a credential, if there is one.
  func authorized(by token: String?) -> ClientRequest {
    var request = self
    if let token { request.fields.append(HeaderField("Authorization", "Bearer " + token)) }
    return request
  }
}
