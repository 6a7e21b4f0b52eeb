public import HTTP1

/// Sends the response to one request, from any thread.
public struct Responder: Sendable {
  let connection: ConnectionHandle
  let request: UInt32
  /// Charges the request's body to the budget while a response is possible.
  private let charge: BodyCharge?

  init(connection: ConnectionHandle, request: UInt32, charge: BodyCharge? = nil) {
    self.connection = connection
    self.request = request
    self.charge = charge
  }

  /// Returns a responder that no longer charges the request's body, for callers that have released
  /// it.
  public func withoutBody() -> Responder { Responder(connection: connection, request: request) }

  /// The index of the connection's event loop: `0 ..< loops` of ``ServerConfiguration/loops``.
  public var loop: Int { connection.loop.number }

  /// A small number that tells the connection from all others that are open.
  public var connectionNumber: Int { Int(connection.descriptor) }

  /// The address of the client.
  public var peer: PeerAddress { connection.peer }

  /// Sends the response; later calls for the same request have no effect.
  ///
  /// If the connection is closed, the response is dropped.
  public func send(_ response: HTTPResponse) {
    connection.loop.respond(connection, request: request, response)
  }

  /// Starts a response whose content is written in pieces, and sends its head immediately.
  ///
  /// The `body` of `head` is not sent. In HTTP/1.1 pieces are sent as chunks; in HTTP/1.0 closing
  /// the connection ends the content. The stream counts as the response.
  public func stream(_ head: HTTPResponse) -> ResponseStream {
    let loop = connection.loop
    let stream = ResponseStream(
      connection: connection.token, request: request, bytesMax: loop.streamBytesMax
    ) { stream in loop.pumpSoon(stream) }
    loop.openSoon(stream, head)
    return stream
  }

  /// Calls an action if the peer hangs up before the response is sent.
  ///
  /// Use it for waiting requests. The action is called at most once for each kind of ``Hangup``, on the
  /// event loop, or soon if the peer has already hung up. A later action replaces it.
  public func onHangup(_ action: @escaping @Sendable (Hangup) -> Void) {
    connection.loop.setOnHangup(connection, request: request, action)
  }
}
