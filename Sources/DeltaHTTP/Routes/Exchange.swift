import Dispatch
import HTTP1
import SocketServer

/// One request and the way back: all that the routes know of the server.
struct Exchange: Sendable {
  let request: HTTPRequest
  /// What the client takes.
  let codings: AcceptedCodings
  /// Sends an answer as it is; once, from any thread.
  let send: @Sendable (HTTPResponse) -> Void
  /// Has an action called if the peer goes away before it is answered.
  let onClose: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void
  /// Begins an answer that is written piece by piece.
  let openStream: @Sendable (_ head: HTTPResponse) -> ResponseStream

  /// Contents above this are coded elsewhere: who answers is an event loop, or a shard that others
  /// wait for.
  private static let codedInPlaceBytesMax = 16 << 10
  private static let workers = DispatchQueue(
    label: "livedelta.coding", attributes: .concurrent)

  /// Sends an answer, in a coding if the client takes one and the answer has none yet.
  func reply(_ response: HTTPResponse) {
    let coding = codings.coding(forTextOf: response.body.count)
    guard coding != .identity, response.body.count > 0,
      response.field("Content-Encoding") == nil
    else { return send(response) }
    guard response.body.count > Self.codedInPlaceBytesMax else {
      return send(response.coded(coding))
    }
    Self.workers.async { send(response.coded(coding)) }
  }

  func reply(_ problem: Problem) { reply(problem.response) }
}
