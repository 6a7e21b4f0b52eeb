import CEpoll
import Glibc
import HTTP1
import Synchronization

extension EventLoop {
  private static let acceptsPerPass = 64
  /// How long accepting is paused after a failure, in milliseconds, unless a connection closes
  /// first.
  private static let acceptRetry: UInt64 = 1000

  /// While handlers are behind, so many connections are accepted in a millisecond.
  private static let acceptsWhileBusy = 4

  func listen(_ sockets: [ListeningSocket], _ services: [Service]) {
    for (socket, service) in zip(sockets, services) { listening.append((socket, service)) }
    watchListeners()
  }

  private func watchListeners() {
    for (index, entry) in listening.enumerated() {
      let token = EpollToken.listeners + UInt64(index)
      guard cepoll_add(epoll, entry.socket.descriptor, cepoll_in, token) == 0 else {
        return noteAcceptError(errno)
      }
    }
  }

  /// Closes the listeners.
  ///
  /// The kernel resets connections that it established and nobody accepted: these are accepted
  /// first. Those of an inherited socket are left to the process that gets it next.
  func stopAccepting() {
    for index in listening.indices where listening[index].socket.isOwned {
      var passes = limits.listenBacklog / Self.acceptsPerPass
      while accept(index, countMax: Self.acceptsPerPass), passes > 0 { passes -= 1 }
    }
    for entry in listening { entry.socket.close() }
    listening = []
    acceptAt = .max
    state.noteNotListening()
  }

  /// Accepts pending connections, and few of them while handlers are behind: the others wait in the kernel, so that a
  /// crowd that connects at once does not delay those who are connected.
  func acceptSome(_ index: Int) {
    guard state.configuration.isBusy?() == true else {
      accept(index, countMax: Self.acceptsPerPass)
      return
    }
    if accept(index, countMax: Self.acceptsWhileBusy) { pauseAccepting(1) }
  }

  private func pauseAccepting(_ milliseconds: UInt64) {
    // Those that were not watched yet are no loss.
    for entry in listening { _ = cepoll_remove(epoll, entry.socket.descriptor) }
    acceptAt = now + milliseconds
    if acceptAt < timerAt { setTimer(acceptAt) }
  }

  /// Accepts pending connections and distributes them among the loops in turn.
  ///
  /// - Returns: Whether there may be more.
  @discardableResult private func accept(_ index: Int, countMax: Int) -> Bool {
    guard index < listening.count else { return false }
    let (socket, service) = listening[index]
    for _ in 0..<countMax {
      var address = SocketAddress()
      let descriptor = unsafe address.fill { unsafe cepoll_accept(socket.descriptor, $0, $1) }
      guard descriptor >= 0 else {
        if Self.isPassing(errno) { continue }
        noteAcceptError(errno)
        return false
      }
      var peer = address.peer
      if case .unix = peer { peer = .unix(uid: UInt32(exactly: cepoll_peer_user(descriptor))) }
      admit(descriptor, peer, service)
    }
    return true
  }

  /// Whether an error concerns only one connection, which failed before it was accepted.
  private static func isPassing(_ number: Int32) -> Bool {
    switch number {
    case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
      EOPNOTSUPP, ENETUNREACH, EPERM:
      true
    default: false
    }
  }

  /// Out of descriptors or memory, say: pauses accepting, rather than spin, until a connection closes.
  private func noteAcceptError(_ number: Int32) {
    guard number != EAGAIN, acceptAt == .max else { return }
    pauseAccepting(Self.acceptRetry)
    state.isAcceptPaused.store(true, ordering: .sequentiallyConsistent)
    state.configuration.onEvent?(.acceptPaused(errno: number))
  }

  func resumeAccepting() {
    guard acceptAt != .max else { return }
    acceptAt = .max
    let wasPaused = state.isAcceptPaused.exchange(false, ordering: .sequentiallyConsistent)
    watchListeners()
    if wasPaused { state.configuration.onEvent?(.acceptResumed) }
  }

  private func admit(_ descriptor: Int32, _ peer: PeerAddress, _ service: Service) {
    guard state.admit(peer) else { return turnAway(descriptor, peer) }
    let loop = peers[nextPeer]
    nextPeer = (nextPeer + 1) % peers.count
    if loop === self {
      adopt(descriptor, peer, service)
    } else {
      loop.mailbox.post(.run { loop.adopt(descriptor, peer, service) })
    }
  }

  /// Refuses a connection over the limit with a 503 response in one packet.
  private func turnAway(_ descriptor: Int32, _ peer: PeerAddress) {
    var bytes = OutputBuffer(capacity: 1024)
    let response = state.configuration.renderProblem(.overloaded, peer)
    ResponseWriter.head(
      response, to: RequestContext(), dateLine: dateLine(), framing: .length, closes: true,
      into: &bytes)
    for piece in response.pieces { bytes.append(piece) }
    // A peer that cannot take it is told by the close.
    bytes.withBytes { _ = $0.send(to: descriptor, Int32(MSG_NOSIGNAL)) }
    shutdown(descriptor, Int32(SHUT_WR))
    Glibc.close(descriptor)
    state.noteClosed(peer)
    state.configuration.onEvent?(.overloaded(peer: peer))
  }

  /// Takes ownership of an accepted connection.
  func adopt(_ descriptor: Int32, _ peer: PeerAddress, _ service: Service) {
    generation = (generation + 1) & EpollToken.generationMask
    let handle = ConnectionHandle(
      loop: self, descriptor: descriptor, generation: generation, peer: peer)
    let connection = Connection(handle, service)
    while connections.count <= Int(descriptor) { connections.append(nil) }
    connections[Int(descriptor)] = connection
    connectionCount += 1
    let events = cepoll_in | cepoll_out | cepoll_read_hangup | cepoll_edge
    if isAborted { return close(connection) }
    guard cepoll_add(epoll, descriptor, events, connection.token) == 0 else {
      state.configuration.onEvent?(.overloaded(peer: peer))
      return close(connection)
    }
    setDeadline(connection, now + timeouts.header)
    if isDraining { hurry(connection) }
  }
}
