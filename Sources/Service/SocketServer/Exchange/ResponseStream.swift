import Synchronization

/// The content of a response written in pieces, such as server-sent events.
///
/// A stream may be used from any thread. To bound what is queued, stop writing when ``write(_:)``
/// returns `false` until the action of ``onWritable(_:)`` is called.
public final class ResponseStream: Sendable {
  let connection: UInt64
  let request: UInt32
  /// The unsent bytes above which the writer must wait.
  private let bytesMax: Int
  /// Notifies the event loop.
  private let notify: @Sendable (ResponseStream) -> Void
  /// The pieces not yet taken by the event loop, beyond which the writer must wait.
  private static let piecesMax = 2
  private let state = Mutex(State())

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes in `pieces` and in the connection's output queue.
    var waiting = 0
    var isPosted = false
    var isFinished = false
    var isClosed = false
    var aborts = false
    var onWritable: (@Sendable () -> Void)?
    var onClose: (@Sendable () -> Void)?
  }

  init(
    connection: UInt64, request: UInt32, bytesMax: Int,
    notify: @escaping @Sendable (ResponseStream) -> Void
  ) {
    self.connection = connection
    self.request = request
    self.bytesMax = bytesMax
    self.notify = notify
  }

  /// Writes a piece of the content.
  ///
  /// - Returns: Whether the event loop and the peer keep up, so that more may be written
  ///   immediately. If `false`, the piece is still sent, unless the stream is closed.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    var isWritable = false
    update { state in
      guard !state.isClosed, !state.isFinished else { return false }
      state.pieces.append(bytes)
      state.waiting += bytes.count
      isWritable = state.waiting <= bytesMax && state.pieces.count <= Self.piecesMax
      return true
    }
    return isWritable
  }

  /// Changes the state, and notifies the event loop if `change` returns `true` and the loop has no
  /// pending notification.
  private func update(_ change: (inout State) -> Bool) {
    let posts = state.withLock { state in
      guard change(&state) else { return false }
      defer { state.isPosted = true }
      return !state.isPosted
    }
    if posts { notify(self) }
  }

  /// Calls an action once when the stream is writable, or soon if it already is.
  ///
  /// The action is called on the event loop; a later one replaces it. It is not called if the
  /// connection is closed.
  public func onWritable(_ action: @escaping @Sendable () -> Void) {
    update { state in
      guard !state.isClosed else { return false }
      state.onWritable = action
      return true
    }
  }

  /// Calls an action once when the connection is closed or the stream is aborted.
  ///
  /// If it is already closed, the action is called immediately. It is not called after the stream
  /// has finished normally.
  public func onClose(_ action: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClose = action }
      return state.isClosed
    }
    if isClosed { action() }
  }

  /// Ends the content; the connection continues with its next request.
  public func finish() {
    update { state in
      guard !state.isFinished, !state.isClosed else { return false }
      state.isFinished = true
      return true
    }
  }

  /// Resets the connection, so that the client sees that the content is incomplete.
  public func abort() {
    update { state in
      guard !state.isClosed else { return false }
      state.aborts = true
      return true
    }
  }

  // Used by the event loop.

  /// The pending work of the event loop.
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

  /// Records how many bytes the connection has queued; returns the action to call if it is
  /// writable.
  func noteWaiting(_ count: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.waiting = count + state.pieces.reduce(0) { $0 + $1.count }
      guard state.waiting == 0, !state.isFinished else { return nil }
      defer { state.onWritable = nil }
      return state.onWritable
    }
  }

  /// Ends the stream because its connection is closed; returns the action to call.
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
