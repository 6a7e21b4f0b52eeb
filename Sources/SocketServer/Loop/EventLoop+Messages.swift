import CEpoll
import HTTP1

extension EventLoop {
  /// Accepts a response from any thread; during the handler's call it is written immediately.
  func respond(
    _ connection: Connection, request: UInt32, _ response: HTTPResponse,
    onSent: (@Sendable () -> Void)? = nil
  ) {
    if isCurrent {
      guard current != ObjectIdentifier(connection) else {
        return writeResponse(connection, request: request, response, onSent: onSent)
      }
      local.append(.respond(connection, request: request, response, onSent: onSent))
    } else {
      mailbox.post(.respond(connection, request: request, response, onSent: onSent))
    }
  }

  func setOnHangup(
    _ connection: Connection, request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void
  ) {
    guard isCurrent, current == ObjectIdentifier(connection) else {
      return post(.run { $0.noteOnHangup(connection, request, action) })
    }
    noteOnHangup(connection, request, action)
  }

  func handle(_ message: LoopMessage) {
    switch message {
    case .respond(let connection, let request, let response, let onSent):
      guard !connection.isClosed else {
        onSent?()
        return
      }
      writeResponse(connection, request: request, response, onSent: onSent)
      process(connection)
    case .pumpStream(let stream): enqueue(stream)
    case .run(let action): action(self)
    }
  }

  private func noteOnHangup(
    _ connection: Connection, _ request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void
  ) {
    guard connection.request == request else { return }
    if connection.isClosed { return action(.both) }
    guard connection.isAwaitingResponse else { return }
    connection.onHangup = action
    if connection.sawHangup { action(.sending) }
  }

  /// Closes idle connections, and every other one after its next response.
  ///
  /// A request that has arrived but was not read is served, and a connection without a request is
  /// given a moment for its first one.
  func drain() {
    isDraining = true
    for case let connection? in connections {
      if connection.phase == .lingering || connection.isNew { hurry(connection) }
      guard connection.phase == .serving, connection.isIdle else { continue }
      connection.mayRead = true
      process(connection)
    }
  }

  /// Closes all connections immediately.
  func abort() {
    isAborted = true
    for case let connection? in connections { close(connection) }
  }
}
