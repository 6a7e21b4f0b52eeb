import HTTP1
import Synchronization

@testable import SocketServer

/// The loop of a connection that there is not: receives the response to one request.
final class LocalResponse: ResponseLoop {
  let number = 0
  let streamBytesMax = Int.max
  private let receive: @Sendable (HTTPResponse, _ isStreamed: Bool) -> Void
  private let receivePiece: @Sendable ([UInt8]?) -> Void
  private let state = Mutex(State())

  private struct State {
    var isAnswered = false
    /// The response that is written in pieces, until it ends.
    var stream: ResponseStream?
    var onHangup: (@Sendable (Hangup) -> Void)?
  }

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - receive: Called once with the response, or with the head of a streamed one.
  ///   - receivePiece: Called with each piece of a streamed response, and with `nil` at its end.
  init(
    _ receive: @escaping @Sendable (_ response: HTTPResponse, _ isStreamed: Bool) -> Void,
    receivePiece: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    (self.receive, self.receivePiece) = (receive, receivePiece)
  }

  /// What the request is answered with, as if its sender had this address.
  func responder(to peer: PeerAddress) -> Responder {
    Responder(
      connection: ConnectionHandle(
        loop: self, descriptor: 0, generation: 0, peer: peer), request: 1)
  }

  /// Ends the exchange as a peer does that disconnects.
  func hangUp() {
    let (stream, action) = state.withLock { state in
      defer { (state.stream, state.onHangup, state.isAnswered) = (nil, nil, true) }
      return (state.stream, state.onHangup)
    }
    stream?.close()?()
    action?(.both)
  }

  func respond(
    _ handle: ConnectionHandle, request: UInt32, _ response: HTTPResponse
  ) {
    if begin(nil) { receive(response, false) }
  }

  func setOnHangup(
    _ handle: ConnectionHandle, request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void
  ) {
    state.withLock { if !$0.isAnswered { $0.onHangup = action } }
  }

  func openSoon(_ stream: ResponseStream, _ head: HTTPResponse) {
    if begin(stream) { receive(head, true) } else { stream.close()?() }
  }

  func pumpSoon(_ stream: ResponseStream) {
    let work = stream.takeWork()
    for piece in work.pieces { receivePiece(piece) }
    if work.isFinished || work.aborts {
      state.withLock { $0.stream = nil }
      receivePiece(nil)
    }
    stream.noteWaiting(0)?()
  }

  /// Whether the request is still to be answered.
  private func begin(_ stream: ResponseStream?) -> Bool {
    state.withLock { state in
      if state.isAnswered { return false }
      (state.isAnswered, state.stream, state.onHangup) = (true, stream, nil)
      return true
    }
  }
}
