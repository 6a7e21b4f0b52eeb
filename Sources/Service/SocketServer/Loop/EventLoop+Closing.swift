import CEpoll
import Glibc
import HTTP1
import Synchronization

extension EventLoop {
  /// How long a connection lingers, or stays without a request, while the server is draining, in
  /// milliseconds.
  private static let lastLinger: UInt64 = 500

  /// How long a connection lingers, in milliseconds.
  private var lingerTime: UInt64 {
    isDraining ? min(timeouts.linger, Self.lastLinger) : timeouts.linger
  }

  /// Shortens the deadline of a lingering or new connection when the server drains.
  func hurry(_ connection: Connection) {
    setDeadline(connection, min(connection.deadline, now + lingerTime))
  }

  /// Shuts down the server's side and waits for the peer to close.
  ///
  /// RFC 9112 §9.6: closing a socket with unread bytes sends a reset, which may destroy the last
  /// response. What is received is discarded, never read as a request.
  func linger(_ connection: Connection) {
    if connection.sawEnd { return close(connection) }
    connection.advance(to: .lingering)
    connection.backlog = []
    connection.forgetRequest()
    account(connection)
    shutdown(connection.descriptor, Int32(SHUT_WR))
    connection.wait = .linger
    setDeadline(connection, now + lingerTime)
    drop(connection)
  }

  /// How many reads discard input from a lingering connection before other connections are
  /// processed.
  private static let dropsPerPass = 8

  /// Reads and discards what the peer of a lingering connection sends.
  func drop(_ connection: Connection) {
    var drops = 0
    while connection.lingerBytes <= limits.lingerBytesMax {
      if drops == Self.dropsPerPass { return processLater(connection) }
      drops += 1
      let count = buffer.receive(from: connection.descriptor)
      if count > 0 {
        connection.lingerBytes += count
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        return close(connection)
      } else if errno == EAGAIN {
        return
      }
    }
    close(connection)
  }

  /// Closes a connection with a reset, so that the kernel keeps no state for it.
  func reset(_ connection: Connection) {
    var option = Glibc.linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      connection.descriptor, SOL_SOCKET, SO_LINGER, &option,
      socklen_t(MemoryLayout<Glibc.linger>.size))
    close(connection)
  }

  /// Closes a connection, and notifies its stream and handler.
  func close(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.advance(to: .closed)
    unlink(connection)
    connection.handle.lastRequest.store(connection.request, ordering: .relaxed)
    connections[Int(connection.descriptor)] = nil
    connectionCount -= 1
    connection.output = nil
    connection.backlog = []
    connection.headBytes = 0
    connection.forgetRequest()
    Glibc.close(connection.descriptor)
    account(connection)
    state.noteClosed(connection.peer)
    if state.isAcceptPaused.load(ordering: .relaxed) {
      if let first = peers.first { first.post(.run { first.resumeAccepting() }) }
    }
    let onHangup = connection.onHangup
    connection.onHangup = nil
    let stream = connection.stream
    connection.reply = .nothing
    onHangup?(.both)
    stream?.close()?()
  }
}
