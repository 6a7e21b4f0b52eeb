import Synchronization

/// The state shared by the event loops of one server.
final class ServerState: Sendable {
  let configuration: ServerConfiguration
  /// The number of accepted connections that are open, over all loops.
  let connectionCount = Atomic<Int>(0)
  /// Whether the listeners are open.
  let isListening = Atomic<Bool>(false)
  /// Whether accepting is paused for lack of descriptors or memory.
  let isAcceptPaused = Atomic<Bool>(false)
  /// The bytes held for requests.
  let budget: BufferBudget
  private let origins = Mutex<[PeerAddress.Origin: Int]>([:])
  private let whenEmpty = Mutex<[@Sendable () -> Void]>([])

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    budget = configuration.budget ?? BufferBudget(bytesMax: configuration.limits.bufferedBytesMax)
  }

  /// Counts an accepted connection; returns whether it is within the limits.
  func admit(_ peer: PeerAddress) -> Bool {
    let limits = configuration.limits
    let count = connectionCount.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    let ofPeer = countsOrigins ? noteOrigin(peer, 1) : 0
    return count <= limits.connectionsMax && ofPeer <= limits.connectionsPerAddressMax
  }

  /// Counts the connections of a peer's address; an address without any is removed.
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

  /// Calls an action when the listeners and the last connection are closed, which may be now.
  func whenEmpty(_ action: @escaping @Sendable () -> Void) {
    whenEmpty.withLock { $0.append(action) }
    checkEmpty()
  }

  /// Records that an accepted connection was closed.
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
