public import HTTP1

/// Answers one request, once, from any thread.
public struct Responder: Sendable {
  let connection: Connection
  let request: UInt32
  /// Counts the request's body while there is anybody who may answer.
  private let charge: BodyCharge?

  init(connection: Connection, request: UInt32, charge: BodyCharge? = nil) {
    self.connection = connection
    self.request = request
    self.charge = charge
  }

  /// The same for one who has released the request's body, which no longer counts as held then.
  public func withoutBody() -> Responder { Responder(connection: connection, request: request) }

  /// Which of the server's event loops the connection belongs to: 0 ..< ``ServerConfiguration/loops``.
  public var loop: Int { connection.loop.number }

  /// The address of the client.
  public var peer: PeerAddress { connection.peer }

  /// Sends the response; only the first of one request counts.
  ///
  /// If the connection is gone, the response is dropped.
  public func send(_ response: HTTPResponse) {
    connection.loop.respond(connection, request: request, response)
  }

  /// Begins a response whose content is written piece by piece; its head is sent at once.
  ///
  /// Its `body` is not sent. In HTTP/1.1 the pieces are chunks; in HTTP/1.0 the end of the
  /// connection ends the content. It counts as the request's answer.
  public func stream(_ head: HTTPResponse) -> ResponseStream {
    let stream = ResponseStream(connection: connection, request: request)
    connection.loop.post(.run { $0.open(stream, head) })
    return stream
  }

  /// Has an action called if the peer goes away before the response is sent.
  ///
  /// It is for requests that wait. A peer that only shuts its own side may still read: it is gone when
  /// both sides are shut, or something sent to it comes back. The action is called once at most, on
  /// the event loop or, if the peer is gone already, soon after; a later action replaces it.
  public func onClose(_ action: @escaping @Sendable () -> Void) {
    connection.loop.setOnClose(connection, request: request, action)
  }
}
