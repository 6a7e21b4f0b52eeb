import DeltaEngine
import Foundation
package import SnapshotJSON

/// A client of the service.
///
/// Requests run side by side. Cancelling the waiting task ends the request at once.
///
/// ```swift
/// import LiveDeltaClient
/// import LiveDeltaURLSession  // or LiveDeltaCurl, with CurlTransport
///
/// let address = try ServerAddress("https://lists.example.org")
/// let client = DeltaClient(address, transport: URLSessionTransport())
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
  /// How writes are repeated.
  public let repeats: WriteRepeats
  private let tokens: TokenProvider
  private let transport: any DeltaTransport
  private let reader = Locked(AnswerReader())

  /// Returns the credential of a request; `nil` for none.
  ///
  /// It is called before each request and each stream with `nil`, and once more with a credential that
  /// the service has refused; the request is then repeated if another one is returned. If it throws an error of
  /// the network, or a temporary `ClientError`, the request may succeed later; any other error is final.
  public typealias TokenProvider = @Sendable (_ refused: String?) async throws -> String?

  /// Creates a client of one server.
  ///
  /// - Parameters:
  ///   - address: The address of the service.
  ///   - transport: Carries the requests.
  ///   - limits: The limits on time and size.
  ///   - repeats: How writes are repeated.
  ///   - tokens: Returns the credential of each request.
  public init(
    _ address: ServerAddress, transport: any DeltaTransport, limits: Limits = Limits(),
    repeats: WriteRepeats = WriteRepeats(), tokens: @escaping TokenProvider = { _ in nil }
  ) {
    self.address = address
    self.limits = limits
    self.repeats = repeats
    self.tokens = tokens
    self.transport = transport
  }

  /// Sends any request and returns the response, whatever its status.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - path: The percent-encoded path and query, sent as they are.
  ///   - fields: Fields in addition to those that the transport sets; one with an empty value is sent
  ///     empty.
  ///   - body: The body; `nil` for none, without a length.
  ///   - extraMilliseconds: Additional time for a response that waits.
  ///   - onSent: Called repeatedly with the number of body bytes sent so far.
  /// - Returns: The final response.
  /// - Throws: `ClientError`: `transport`, `timedOut`, `cancelled` or `answerTooLarge`.
  public func request(
    _ method: String, _ path: String, fields: [HeaderField] = [], body: [UInt8]? = nil,
    extraMilliseconds: Int = 0, onSent: (@Sendable (Int) -> Void)? = nil
  ) async throws(ClientError) -> ClientResponse {
    var request = self.request(method, path, fields, body)
    request.timeoutMilliseconds = limits.answerMilliseconds + extraMilliseconds
    request.onSent = onSent
    return try await perform(request)
  }

  /// Requests a stream of server-sent events, which ends when the service or the task ends it.
  ///
  /// A reader that falls behind by more than 256 events loses the connection, not events.
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
    stream(path, lastEventID: lastEventID, stallSeconds: stallSeconds).events
  }

  /// Requests a stream of server-sent events.
  ///
  /// - Parameters:
  ///   - path: The percent-encoded path and query.
  ///   - lastEventID: The id of the last event received, to continue after it.
  ///   - patchesItems: Whether changed items may be merge patches.
  ///   - firstEventLimit: How long the service may send nothing at first; `nil` for `stallSeconds`.
  ///   - stallSeconds: The seconds without data after which the connection is considered broken.
  /// - Returns: The events, and what ends them as if the task were cancelled.
  func stream(
    _ path: String, lastEventID: String? = nil, patchesItems: Bool = false,
    firstEventLimit: Duration? = nil, stallSeconds: Int
  ) -> (events: AsyncThrowingStream<StreamEvent, any Error>, end: @Sendable () -> Void) {
    var request = self.request("GET", path, [HeaderField("Accept", "text/event-stream")], nil)
    if let lastEventID { request.fields.append(HeaderField("Last-Event-ID", lastEventID)) }
    if patchesItems { request.fields.append(HeaderField("Prefer", ClientResponse.itemPatches)) }
    request.stallSeconds = stallSeconds
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: StreamEvent.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(256))
    let reader = Locked(EventReader(eventBytesMax: limits.bodyBytesMax))
    let hasBegun = Locked(false)
    request.onHead = { head in reader.withLock { $0.patchesItems = head.patchesItems } }
    request.onPiece = { piece in
      _ = hasBegun.exchange(true)
      guard let events = reader.withLock({ $0.take(piece) }) else { return false }
      return events.allSatisfy { Self.send($0, to: continuation) }
    }
    let task = Task { [request] in
      do {
        try check(
          await perform(request, silenceLimit: firstEventLimit) {
            guard !hasBegun.withLock({ $0 }) else { return }
            continuation.finish(throwing: ClientError.timedOut(reason: "the stream is silent"))
          })
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return (stream, { continuation.finish(throwing: ClientError.cancelled) })
  }

  /// Passes an event on; a reader that is too far behind gets an error in its place.
  private static func send(
    _ event: StreamEvent, to reader: AsyncThrowingStream<StreamEvent, any Error>.Continuation
  ) -> Bool {
    guard case .dropped = reader.yield(event) else { return true }
    reader.finish(throwing: ClientError.transport(code: 0, reason: "the reader is too slow"))
    return false
  }

  private func request(
    _ method: String, _ path: String, _ fields: [HeaderField], _ body: [UInt8]?
  ) -> ClientRequest {
    var request = ClientRequest(method, path, at: address, fields: fields, body: body)
    request.connectMilliseconds = limits.connectMilliseconds
    request.bodyBytesMax = limits.bodyBytesMax
    return request
  }

  /// Sends a request with a credential, and once more with another if that is refused; calls
  /// `onSilence` if there is no complete answer so long after it was sent.
  private func perform(
    _ request: ClientRequest, silenceLimit: Duration? = nil,
    onSilence: @escaping @Sendable () -> Void = {}
  ) async throws(ClientError) -> ClientResponse {
    let token = try await token(refused: nil)
    let answer = try await send(request.authorized(by: token), silenceLimit, onSilence)
    guard answer.status == 401, let token, let other = try await self.token(refused: token),
      other != token
    else { return answer }
    return try await send(request.authorized(by: other), silenceLimit, onSilence)
  }

  private func send(
    _ request: ClientRequest, _ silenceLimit: Duration?, _ onSilence: @escaping @Sendable () -> Void
  ) async throws(ClientError) -> ClientResponse {
    let timer = silenceLimit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        onSilence()
      }
    }
    defer { timer?.cancel() }
    return try await transport.send(request)
  }

  private func token(refused: String?) async throws(ClientError) -> String? {
    do {
      return try await tokens(refused)
    } catch let error as ClientError {
      throw error == .cancelled ? error : .noToken("\(error)", isTemporary: error.isTemporary)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      let domain = (error as NSError).domain
      let isOfNetwork = domain == NSURLErrorDomain || domain == NSPOSIXErrorDomain
      throw .noToken("\(error)", isTemporary: isOfNetwork)
    }
  }

  /// Returns the JSON of a successful response.
  package func read(_ answer: ClientResponse) throws(ClientError) -> JSONValue {
    try reader.withLock { reader throws(ClientError) in try reader.read(answer) }
  }

  /// Returns the answer in an event of a stream about one collection; `nil` if it has none.
  ///
  /// - Throws: `ClientError.problem`, unless it is that the collection does not exist.
  func answer(of event: StreamEvent, idPath: String) throws(ClientError) -> ClientReply<
    DeltaAnswer
  >? {
    let names = ["problem", "delta", "snapshot", "deleted", "bookmark"]
    guard names.contains(event.name) else { return nil }
    let body = ClientResponse(status: 200, body: Array(event.data.utf8))
    guard let value = try value(of: body, event) else { return ClientReply(.deleted, body) }
    return ClientReply(
      try DeltaAnswer(value, patchesItems: event.patchesItems, idPath: idPath), body)
  }

  /// Returns the answer in an event of a stream about several collections; `nil` if it has none.
  ///
  /// - Throws: `ClientError.problem`, unless it is that none of the collections exists.
  func syncAnswer(
    of event: StreamEvent, idPaths: [String: String]
  ) throws(ClientError) -> SyncAnswer? {
    guard ["problem", "sync"].contains(event.name) else { return nil }
    let body = ClientResponse(status: 200, body: Array(event.data.utf8))
    guard let value = try value(of: body, event) else { return nil }
    return try SyncAnswer(value, patchesItems: event.patchesItems, idPaths: idPaths)
  }

  /// Returns the JSON of an event; `nil` for the problem that a collection does not exist.
  private func value(
    of body: ClientResponse, _ event: StreamEvent
  ) throws(ClientError) -> JSONValue? {
    let value = try read(body)
    guard event.name == "problem" else { return value }
    var problem = ProblemDetails(value, status: value["status"]?.int ?? 0)
    problem.retryAfterSeconds = event.retryMilliseconds.map { ($0 + 999) / 1000 }
    guard problem.code == "collection-not-found" else { throw .problem(problem) }
    return nil
  }

  /// Throws the problem of an unsuccessful response.
  ///
  /// - Parameter answer: The response.
  /// - Throws: `ClientError.problem` unless the status is one of success.
  public func check(_ answer: ClientResponse) throws(ClientError) {
    try reader.withLock { reader throws(ClientError) in try reader.check(answer) }
  }
}
