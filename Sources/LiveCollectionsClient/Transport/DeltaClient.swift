import DeltaEngine

/// A client of the service over libcurl: one connection, kept alive, one request at a time.
///
/// Requests of one client run one after the other; a reader that waits for news needs a client of
/// its own beside the writer's. Cancelling the task that waits ends the request at once.
///
/// ```swift
/// let client = DeltaClient(try ServerAddress("127.0.0.1:8080"))
/// try await client.put(bytes, to: CollectionAddress(client: "u42", name: "inbox"))
/// ```
public final class DeltaClient: Sendable {
  /// Limits of time and size.
  public struct Limits: Hashable, Sendable {
    /// Milliseconds to connect.
    public var connectMilliseconds = 5000
    /// Milliseconds for a complete answer, beside the wait of a long poll.
    public var answerMilliseconds = 30_000
    /// The most bytes of an answer's body.
    public var bodyBytesMax = 256 << 20

    /// The usual limits.
    public init() {}
  }

  /// Where requests go.
  public let address: ServerAddress
  /// Limits of time and size.
  public let limits: Limits
  private let connection: CurlConnection
  private let reader = Locked(AnswerReader())

  /// A client of one server; connects with the first request.
  ///
  /// - Parameters:
  ///   - address: Where the service is.
  ///   - limits: Limits of time and size.
  ///   - token: What the service knows this client by, sent with each request; nil for nothing.
  public init(_ address: ServerAddress, limits: Limits = Limits(), token: String? = nil) {
    self.address = address
    self.limits = limits
    connection = CurlConnection(
      to: address, connectTimeoutMilliseconds: limits.connectMilliseconds, token: token)
  }

  /// Sends any request and returns the answer, whatever its status.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - path: Path and query, already percent-encoded, sent as they are.
  ///   - fields: Fields beside those that libcurl sets; with an empty value they are sent empty.
  ///   - body: The body; `nil` for none, not even a length.
  ///   - extraMilliseconds: Time allowed on top of the limit, for an answer that waits.
  ///   - onSent: Is called now and then with the number of bytes of the body that are sent.
  /// - Returns: The final answer.
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
  /// The client has no other request under way meanwhile.
  ///
  /// - Parameters:
  ///   - path: Path and query, already percent-encoded.
  ///   - lastEventID: The id of the last event that was seen, to go on after it.
  ///   - stallSeconds: Seconds without a byte after which the connection counts as broken; more
  ///     than the service's pings are apart.
  /// - Returns: The events; it throws `ClientError`.
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

  /// The JSON of an answer; a refusal is thrown.
  func read(_ answer: ClientResponse) throws(ClientError) -> WireValue {
    try reader.withLock { reader throws(ClientError) in try reader.read(answer) }
  }

  /// Throws what a refusal says.
  func check(_ answer: ClientResponse) throws(ClientError) {
    try reader.withLock { reader throws(ClientError) in try reader.check(answer) }
  }
}
