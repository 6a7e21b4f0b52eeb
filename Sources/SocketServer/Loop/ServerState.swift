import Synchronization

/// What the event loops of one server share.
final class ServerState: Sendable {
  let configuration: ServerConfiguration
  /// Accepted connections that are not closed, over all loops.
  let connectionCount = Atomic<Int>(0)
  /// The listeners are open.
  let isListening = Atomic<Bool>(false)
  /// Accepting has stopped for want of descriptors.
  let isAcceptPaused = Atomic<Bool>(false)
  /// The bytes that are held for requests.
  let budget: BufferBudget
  private let origins = Mutex<[PeerAddress.Origin: Int]>([:])
  private let whenEmpty = Mutex<[@Sendable () -> Void]>([])

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    budget = configuration.budget ?? BufferBudget(bytesMax: configuration.limits.bufferedBytesMax)
  }

  /// Counts a connection that was accepted; returns whether it may stay.
  func admit(_ peer: PeerAddress) -> Bool {
    let limits = configuration.limits
    let count = connectionCount.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    let ofPeer = countsOrigins ? noteOrigin(peer, 1) : 0
    return count <= limits.connectionsMax && ofPeer <= limits.connectionsPerAddressMax
  }

  /// Counts the connections of a peer's address; nothing is kept of an address without any.
  private func noteOrigin(_ peer: PeerAddress, _ change: Int) -> Int {
    guard let origin = peer.origin else { return 0 }
    return origins.withLock { origins in
      let count = origins[origin, default: 0] + change
      origins[origin] = count == 0 ? nil : count
      return count
    }
  }

  private var countsOrigins: Bool {
    configuration.limits.connectionsPerAddressMax < configuration.limits.connectionsMax
  }

  /// Has an action called when the listeners and the last connection are closed, or at once.
  func whenEmpty(_ action: @escaping @Sendable () -> Void) {
    whenEmpty.withLock { $0.append(action) }
    checkEmpty()
  }

  /// Counts off an accepted connection that was closed.
  func noteClosed(_ peer: PeerAddress) {
    if countsOrigins { _ = noteOrigin(peer, -1) }
    let left = connectionCount.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0 { checkEmpty() }
  }

  /// Records that the listeners were closed.
  func noteNotListening() {
    isListening.store(false, ordering: .sequentiallyConsistent)
    checkEmpty()
  }

  private func checkEmpty() {
    guard connectionCount.load(ordering: .sequentiallyConsistent) == 0,
      !isListening.load(ordering: .sequentiallyConsistent)
    else { return }
    let actions = whenEmpty.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in actions { action() }
  }
}
