import HTTP1
import SocketServer

/// One request and the way back: all that the routes know of the server.
struct Exchange: Sendable {
  let request: HTTPRequest
  /// Sends the answer; once, from any thread.
  let reply: @Sendable (HTTPResponse) -> Void
  /// Has an action called if the peer goes away before it is answered.
  let onClose: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void
  /// Begins an answer that is written piece by piece.
  let openStream: @Sendable (_ head: HTTPResponse) -> ResponseStream

  func reply(_ problem: Problem) { reply(problem.response) }
}
