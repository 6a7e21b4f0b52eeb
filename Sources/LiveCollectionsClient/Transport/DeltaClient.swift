import DeltaEngine

/// A client of the service on libcurl, with one persistent connection.
///
/// Requests of a client run one at a time; a reader that waits for changes needs a client of its
/// own. Cancelling the waiting task ends the request at once.
///
/// ```swift
/// let client = DeltaClient(try ServerAddress("127.0.0.1:8080"))
/// try await client.put(bytes, to: CollectionAddress(client: "u42", name: "inbox"))
/// ```
public final class DeltaClient: Sendable {
  /// The limits on time and size.
  public struct Limits: Hashable, Sendable {
    /// The timeout for connecting, in milliseconds.
    public var connectMilliseconds = 5000
    /// The timeout for a complete response besides the wait of a long poll, in milliseconds.
    public var answerMilliseconds = 30_000
    /// The largest response body, in bytes.
    public var bodyBytesMax = 256 << 20

    /// Creates the default limits.
    public init() {}
  }

  /// The address of the service.
  public let address: ServerAddress
  /// The limits on time and size.
  public let limits: Limits
  private let connection: CurlConnection
  private let reader = Locked(AnswerReader())

  /// Creates a client of one server; it connects with the first request.
  ///
  /// - Parameters:
  ///   - address: The address of the service.
  ///   - limits: The limits on time and size.
  ///   - token: The credential sent with each request; `nil` for none.
  public init(_ address: ServerAddress, limits: Limits = Limits(), token: String? = nil) {
    self.address = address
    self.limits = limits
    connection = CurlConnection(
      to: address, connectTimeoutMilliseconds: limits.connectMilliseconds, token: token)
  }

  /// Sends any request and returns the response, whatever its status.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - path: The percent-encoded path and query, sent as they are.
  ///   - fields: Fields in addition to those that libcurl sets; one with an empty value is sent
  ///     empty.
  ///   - body: The body; `nil` for none, without a length.
  ///   - extraMilliseconds: Additional time for a response that waits.
  ///   - onSent: Called repeatedly with the number of body bytes sent so far.
  /// - Returns: The final response.
  /// - Throws: `ClientError`: `transport`, `timedOut`, `cancelled` or `answerTooLarge`.
  public func request(
    _ method: String, _ path: String, fields: [HTTPField] = [], body: [UInt8]? = nil,
    extraMilliseconds: Int = 0, onSent: (@Sendable (Int) -> Void)? = nil
  ) async throws(ClientError) -> ClientResponse {
    let request = CurlRequest(
      method: method, path: path, fields: fields, body: body,
      timeoutMilliseconds: limits.answerMilliseconds + extraMilliseconds)
    return try await perform(
      request,
      CurlTransfer(on: connection, bodyBytesMax: limits.bodyBytesMax, onSent: onSent))
  }

  /// Requests a stream of server-sent events, which ends when the service or the task ends it.
  ///
  /// The client must have no other request in progress meanwhile.
  ///
  /// - Parameters:
  ///   - path: The percent-encoded path and query.
  ///   - lastEventID: The id of the last event received, to continue after it.
  ///   - stallSeconds: The seconds without data after which the connection is considered broken;
  ///     must exceed the service's ping interval.
  /// - Returns: The events; iteration throws `ClientError`.
  public func events(
    _ path: String, lastEventID: String? = nil, stallSeconds: Int = 40
  ) -> AsyncThrowingStream<StreamEvent, any Error> {
    let fields =
      [HTTPField("Accept", "text/event-stream")]
      + (lastEventID.map { [HTTPField("Last-Event-ID", $0)] } ?? [])
    let request = CurlRequest(
      method: "GET", path: path, fields: fields, timeoutMilliseconds: 0, stallSeconds: stallSeconds)
    return AsyncThrowingStream { continuation in
      let reader = Locked(EventReader())
      let transfer = CurlTransfer(
        on: connection, bodyBytesMax: limits.bodyBytesMax,
        onPiece: { piece in
          for event in reader.withLock({ $0.take(piece) }) { continuation.yield(event) }
        })
      let task = Task {
        do {
          try check(await perform(request, transfer))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func perform(
    _ request: CurlRequest, _ transfer: CurlTransfer
  ) async throws(ClientError) -> ClientResponse {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        connection.start(request, transfer) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      transfer.cancel()
    }
    return try result.get()
  }

  /// Returns the JSON of a successful response.
  func read(_ answer: ClientResponse) throws(ClientError) -> WireValue {
    try reader.withLock { reader throws(ClientError) in try reader.read(answer) }
  }

  /// Throws the problem of an unsuccessful response.
  ///
  /// - Parameter answer: The response.
  /// - Throws: `ClientError.problem` unless the status is one of success.
  public func check(_ answer: ClientResponse) throws(ClientError) {
    try reader.withLock { reader throws(ClientError) in try reader.check(answer) }
  }
}
