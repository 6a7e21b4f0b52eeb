import CEpoll
import HTTP1

extension EventLoop {
  /// Takes a response from any thread: one given while the request is processed is written in place.
  func respond(_ connection: Connection, request: UInt32, _ response: HTTPResponse) {
    if isCurrent {
      guard current !== connection else {
        return writeResponse(connection, request: request, response)
      }
      local.append(.respond(connection, request: request, response))
    } else {
      mailbox.post(.respond(connection, request: request, response))
    }
  }

  func setOnClose(
    _ connection: Connection, request: UInt32, _ action: @escaping @Sendable () -> Void
  ) {
    guard isCurrent, current === connection else {
      return post(.onClose(connection, request: request, action))
    }
    if connection.isAwaitingResponse, connection.request == request { connection.onClose = action }
  }

  func handle(_ message: LoopMessage) {
    switch message {
    case .adopt(let descriptor, let peer, let service):
      adopt(descriptor, peer, service)
    case .respond(let connection, let request, let response):
      guard !connection.isClosed else { return }
      writeResponse(connection, request: request, response)
      process(connection)
    case .openStream(let stream, let head):
      open(stream, head)
    case .pumpStream(let stream):
      enqueue(stream)
    case .onClose(let connection, let request, let action):
      noteOnClose(connection, request, action)
    case .listen(let sockets, let services):
      listen(sockets, services)
    case .stopAccepting:
      stopAccepting()
    case .resumeAccepting:
      resumeAccepting()
    case .reclaim:
      reclaim(sparing: nil) { self.state.budget.hasLargeRoom }
    case .announceEnd:
      endsSoon = true
    case .probe(let reply):
      reply()
    case .drain:
      drain()
    case .abort:
      isAborted = true
      for case let connection? in connections { close(connection) }
    case .stop:
      stop()
    case .timePassed:
      timePassed()
    }
  }

  private func noteOnClose(
    _ connection: Connection, _ request: UInt32, _ action: @escaping @Sendable () -> Void
  ) {
    guard connection.request == request else { return }
    if connection.isClosed { return action() }
    guard connection.isAwaitingResponse else { return }
    connection.onClose = action
  }

  /// Closes what is idle, and has every other connection end with its next response.
  private func drain() {
    isDraining = true
    for case let connection? in connections {
      if connection.phase == .lingering {
        hurry(connection)
      } else if connection.isIdle {
        connection.advance(to: .closing)
        process(connection)
      }
    }
  }
}
