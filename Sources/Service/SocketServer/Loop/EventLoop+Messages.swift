import HTTP1
import Synchronization

extension EventLoop: ResponseLoop {
  var streamBytesMax: Int { limits.streamBytesMax }

  /// Accepts a response from any thread; during the handler's call it is written immediately.
  func respond(_ handle: ConnectionHandle, request: UInt32, _ response: HTTPResponse) {
    if isCurrent {
      if let current, current.token == handle.token {
        return writeResponse(current, request: request, response)
      }
      local.append(.respond(handle, request: request, response))
    } else {
      mailbox.post(.respond(handle, request: request, response))
    }
  }

  func setOnHangup(
    _ handle: ConnectionHandle, request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void
  ) {
    guard isCurrent, current?.token == handle.token else {
      return post(.run { self.noteOnHangup(handle, request, action) })
    }
    noteOnHangup(handle, request, action)
  }

  func openSoon(_ stream: ResponseStream, _ head: HTTPResponse) {
    post(.run { self.open(stream, head) })
  }

  func pumpSoon(_ stream: ResponseStream) { post(.pumpStream(stream)) }

  func connection(_ token: UInt64) -> Connection? {
    let descriptor = Int(UInt32(truncatingIfNeeded: token))
    guard descriptor < connections.count, let connection = connections[descriptor],
      connection.token == token
    else { return nil }
    return connection
  }

  func handle(_ message: LoopMessage) {
    switch message {
    case .respond(let handle, let request, let response):
      guard let connection = connection(handle.token) else { return }
      writeResponse(connection, request: request, response)
      process(connection)
    case .pumpStream(let stream): enqueue(stream)
    case .run(let action): action()
    }
  }

  private func noteOnHangup(
    _ handle: ConnectionHandle, _ request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void
  ) {
    guard let connection = connection(handle.token) else {
      if handle.lastRequest.load(ordering: .relaxed) == request { action(.both) }
      return
    }
    guard connection.request == request, connection.isAwaitingResponse else { return }
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
