import CollectionService
import HTTP1
import SocketServer

/// One stream of events: writes what a follower is told, and asks for more when it has gone out.
final class EventStream: Sendable {
  private let stream: ResponseStream
  private let ticket: FollowTicket
  private let text: @Sendable (SyncAnswer) -> [[UInt8]]

  /// Begins the answer.
  ///
  /// - Parameters:
  ///   - exchange: The request.
  ///   - head: The answer's status and fields.
  ///   - ticket: The follower's.
  ///   - text: Makes events of an answer.
  init(
    _ exchange: Exchange, head: HTTPResponse, ticket: FollowTicket,
    text: @escaping @Sendable (SyncAnswer) -> [[UInt8]]
  ) {
    stream = exchange.openStream(head)
    self.ticket = ticket
    self.text = text
    stream.onClose { ticket.cancel() }
  }

  /// Writes the first answer.
  ///
  /// - Returns: Whether more can be taken at once.
  func begin(_ first: SyncAnswer, retry: Int) -> Bool {
    write([EventText.retry(retry)] + text(first))
  }

  /// Takes what the follower is told.
  func take(_ event: FollowEvent) -> Bool {
    switch event {
    case .news(let answer): return write(text(answer))
    case .ping: return write([EventText.ping])
    case .end(let reason):
      end(reason)
      return false
    }
  }

  /// Writes the last event, and ends the answer.
  func end(_ reason: EndReason, retry: Int? = nil) {
    if let retry { stream.write(EventText.retry(retry)) }
    stream.write(EventText.end(reason))
    stream.finish()
  }

  /// Ends the answer without another word.
  func finish() { stream.finish() }

  private func write(_ pieces: [[UInt8]]) -> Bool {
    var isWritable = true
    for piece in pieces { isWritable = stream.write(piece) }
    if !isWritable {
      let ticket = ticket
      stream.onWritable { ticket.resume() }
    }
    return isWritable
  }
}

extension HTTPResponse {
  /// The head of a stream: neither kept nor changed nor held back by what lies between.
  static func eventStream(_ version: VersionToken?) -> HTTPResponse {
    var response = HTTPResponse(status: 200)
    response.setField("Content-Type", "text/event-stream")
    response.setField("Cache-Control", "no-store, no-transform")
    response.setField("X-Accel-Buffering", "no")
    response.setField("Vary", variance)
    if let version { response.setField("Collection-Version", version.description) }
    return response
  }
}
