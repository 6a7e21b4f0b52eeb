import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// Requests of readers, on their way through the routes of a replica.
extension Users {
  /// Sends a request with a reader's credential; the response is passed on if it is about what was asked for.
  func ask(
    _ operation: Operation, _ request: Request, as reader: Reader, about keys: [CollectionKey],
    _ replica: Replica, streamBytesMax: Int = .max, _ receive: @escaping (Response) -> Void,
    receiveEvent: @escaping (SourceEvent?) -> Void = { _ in }
  ) {
    let wasAllowed = self.keys.allow(reader.number, keys, at: replica.host.date)
    let exchange = Exchange(replica.host, streamBytesMax: streamBytesMax) { [self] response in
      (operation.isOver, operation.isStale) = (true, response.isStale)
      waiting[operation.number] = nil
      if !response.isStream { close(operation, replica) }
      let isAllowed = self.keys.allow(reader.number, keys, at: replica.host.date)
      if isAdmitted(response, operation, wasAllowed, isAllowed) {
        if response.code == "too-many-parked" { return refusedPlace(operation, replica) }
        receive(response)
      }
    } receiveEvent: {
      receiveEvent($0)
    }
    var request = request
    request.fields.append(("Authorization", "Bearer r\(reader.number)"))
    open(operation, replica)
    operation.exchange = exchange
    replica.serve(request, exchange)
    cut(operation, replica)
  }

  /// Judges whether a response heeds a credential; returns whether it is about what was asked for.
  private func isAdmitted(
    _ response: Response, _ operation: Operation, _ wasAllowed: Bool, _ isAllowed: Bool
  ) -> Bool {
    if response.status == 401 || response.status == 403 {
      world.note("\(operation.number) is not let in: \(response.code ?? "")")
      if wasAllowed, isAllowed { world.blame("\(operation.number) is not let in") }
      return false
    }
    if wasAllowed, isAllowed { return true }
    // A stream may be opened to be ended at once.
    let isTold =
      response.status < 400 && !response.isStream || response.code == "collection-not-found"
    if isTold {
      world.blame(
        "\(operation.number) is answered, allowed at first: \(wasAllowed), now: \(isAllowed)")
    }
    return true
  }

  /// Judges that a reader is refused because too many wait: as many as may, besides this one.
  func refusedPlace(_ operation: Operation, _ replica: Replica) {
    world.note("\(operation.number): too many wait")
    // It was open itself.
    if replica.openPeak - 1 < cluster.limits.parkedMax, replica.lastCut < world.now {
      world.blame("\(operation.number): too many wait, and only \(replica.openPeak - 1) do")
    }
  }

  /// Cuts a connection some time, if that is among the faults.
  private func cut(_ operation: Operation, _ replica: Replica) {
    guard cluster.faults.contains(.cuts), operation.generator.below(4) == 0 else { return }
    world.after(operation.generator.below(6.seconds)) { [self] in
      (operation.isOver, operation.isCut) = (true, true)
      (streams[operation.number], waiting[operation.number]) = (nil, nil)
      if let feed = feeds.removeValue(forKey: operation.number) { lastFeed = feed }
      close(operation, replica)
      world.note("\(operation.number) is cut")
      replica.lastCut = world.now
      operation.exchange?.hangUp()
    }
  }

  // MARK: What is open

  /// Counts a request that has come.
  private func open(_ operation: Operation, _ replica: Replica) {
    operation.isOpen = true
    replica.noteOpen(1)
  }

  /// Counts a request that is over.
  func close(_ operation: Operation, _ replica: Replica) {
    if operation.isOpen { replica.noteOpen(-1) }
    operation.isOpen = false
  }
}
