import Synchronization

/// The state shared by the event loops of one server.
final class ServerState: Sendable {
  let configuration: ServerConfiguration
  /// The bytes held for requests.
  let budget: BufferBudget
  /// Whether accepting is paused for lack of descriptors or memory.
  let isAcceptPaused = Atomic<Bool>(false)
  private let open = Mutex(OpenConnections())

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    budget = configuration.budget ?? BufferBudget(bytesMax: configuration.limits.bufferedBytesMax)
  }

  /// The number of accepted connections that are open, over all loops.
  var connectionCount: Int { open.withLock { $0.count } }

  /// Counts an accepted connection; returns whether it is within the limits.
  func admit(_ peer: PeerAddress) -> Bool {
    let limits = configuration.limits
    let origin = counted(peer)
    return open.withLock { open in
      open.count += 1
      let ofPeer = origin.map { open.note($0, 1) } ?? 0
      return open.count <= limits.connectionsMax && ofPeer <= limits.connectionsPerAddressMax
    }
  }

  /// Records that an accepted connection was closed.
  func noteClosed(_ peer: PeerAddress) {
    let origin = counted(peer)
    change { open in
      open.count -= 1
      if let origin { _ = open.note(origin, -1) }
    }
  }

  /// Records that the listeners were opened.
  func noteListening() { change { $0.isListening = true } }

  /// Records that the listeners were closed.
  func noteNotListening() { change { $0.isListening = false } }

  /// Calls an action when the listeners and the last connection are closed, which may be now.
  func whenEmpty(_ action: @escaping @Sendable () -> Void) {
    change { $0.whenEmpty.append(action) }
  }

  /// What connections of a peer are counted by; `nil` if its number is not limited.
  private func counted(_ peer: PeerAddress) -> PeerAddress.Origin? {
    let limits = configuration.limits
    return limits.connectionsPerAddressMax < limits.connectionsMax ? peer.origin : nil
  }

  private func change(_ change: (inout OpenConnections) -> Void) {
    let actions = open.withLock { open in
      change(&open)
      return open.takeActions()
    }
    for action in actions { action() }
  }
}

/// The open connections and listeners, and what to do when there are none.
private struct OpenConnections {
  var count = 0
  var isListening = false
  var whenEmpty: [@Sendable () -> Void] = []
  private var ofOrigin: [PeerAddress.Origin: Int] = [:]

  /// Changes the number of connections of an address; one without any is removed.
  mutating func note(_ origin: PeerAddress.Origin, _ change: Int) -> Int {
    let count = ofOrigin[origin, default: 0] + change
    ofOrigin[origin] = count == 0 ? nil : count
    return count
  }

  /// Removes the actions to call, if it is empty.
  mutating func takeActions() -> [@Sendable () -> Void] {
    guard count == 0, !isListening, !whenEmpty.isEmpty else { return [] }
    defer { whenEmpty = [] }
    return whenEmpty
  }
}
