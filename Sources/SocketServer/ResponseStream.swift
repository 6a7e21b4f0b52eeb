import Synchronization

/// The content of a response that is written piece by piece, as server-sent events are.
///
/// It may be used from any thread. Nothing is queued without bound if the writer obeys
/// ``write(_:)``: when it gives false, write no more until ``onWritable(_:)`` calls.
public final class ResponseStream: Sendable {
  let connection: Connection
  let request: UInt32
  /// Pieces that the event loop has not taken yet, beyond which the writer waits for it.
  private static let piecesMax = 2
  private let state = Mutex(State())

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes in `pieces` and in the connection's queue.
    var waiting = 0
    var isPosted = false
    var isFinished = false
    var isClosed = false
    var aborts = false
    var onWritable: (@Sendable () -> Void)?
    var onClose: (@Sendable () -> Void)?
  }

  init(connection: Connection, request: UInt32) {
    self.connection = connection
    self.request = request
  }

  /// Sends a piece of content.
  ///
  /// - Returns: whether more may be written at once: as long as the event loop keeps up, and the
  ///   connection takes what it is sent. If not, the piece is still sent, unless the stream is closed.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    let limit = connection.loop.limits.streamBytesMax
    var isWritable = false
    update { state in
      guard !state.isClosed, !state.isFinished else { return false }
      state.pieces.append(bytes)
      state.waiting += bytes.count
      isWritable = state.waiting <= limit && state.pieces.count <= Self.piecesMax
      return true
    }
    return isWritable
  }

  /// Changes the state; `change` says whether that makes work for the event loop, which is told once
  /// until it has taken the work.
  private func update(_ change: (inout State) -> Bool) {
    let posts = state.withLock { state in
      guard change(&state) else { return false }
      defer { state.isPosted = true }
      return !state.isPosted
    }
    if posts { connection.loop.post(.pumpStream(self)) }
  }

  /// Has an action called once, when the stream is writable: soon, if it is now.
  ///
  /// It is called on the event loop; a later action replaces it. It is not called when the
  /// connection is gone.
  public func onWritable(_ action: @escaping @Sendable () -> Void) {
    update { state in
      guard !state.isClosed else { return false }
      state.onWritable = action
      return true
    }
  }

  /// Has an action called once, when the connection is gone or the stream was aborted.
  ///
  /// If it is gone now, the action is called at once. It is not called after the stream has finished
  /// in order.
  public func onClose(_ action: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClose = action }
      return state.isClosed
    }
    if isClosed { action() }
  }

  /// Ends the content; the connection goes on to its next request.
  public func finish() {
    update { state in
      guard !state.isFinished, !state.isClosed else { return false }
      state.isFinished = true
      return true
    }
  }

  /// Breaks the connection off, so that the client sees that the content is not complete.
  public func abort() {
    update { state in
      guard !state.isClosed else { return false }
      state.aborts = true
      return true
    }
  }

  // What follows is for the event loop.

  /// What the loop is to do.
  struct Work {
    var pieces: [[UInt8]]
    var isFinished: Bool
    var aborts: Bool
  }

  func takeWork() -> Work {
    state.withLock { state in
      state.isPosted = false
      defer { state.pieces = [] }
      return Work(pieces: state.pieces, isFinished: state.isFinished, aborts: state.aborts)
    }
  }

  /// Notes how many bytes the connection holds, and gives the action to call if it is writable.
  func noteWaiting(_ count: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.waiting = count + state.pieces.reduce(0) { $0 + $1.count }
      guard state.waiting == 0, !state.isFinished else { return nil }
      defer { state.onWritable = nil }
      return state.onWritable
    }
  }

  /// Ends the stream because its connection is gone, and gives the action to call.
  func close() -> (@Sendable () -> Void)? {
    state.withLock { state in
      defer {
        state.isClosed = true
        state.pieces = []
        state.onClose = nil
        state.onWritable = nil
      }
      return state.isFinished && state.pieces.isEmpty ? nil : state.onClose
    }
  }
}
