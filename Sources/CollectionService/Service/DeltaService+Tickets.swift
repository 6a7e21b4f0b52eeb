import VersionedCollections

extension DeltaService {
  /// Enters a ticket into the list of used tickets that services over a shared store have in common.
  ///
  /// - Parameters:
  ///   - ticket: What identifies the ticket.
  ///   - completion: Called once, on any thread: with whether it was not there yet, nil if the store
  ///     cannot tell. Always with true if the store is not shared.
  public func use(ticket: [UInt8], completion: @escaping @Sendable (Bool?) -> Void) {
    // An error means that the store cannot tell: the ticket is refused.
    store.use(ticket: ticket) { completion(try? $0.get()) }
  }
}
