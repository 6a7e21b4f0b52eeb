public import VersionedCollections

extension DeltaService {
  /// Whether other services may write to the store.
  public var isShared: Bool { store.isShared }

  /// Takes or keeps the turn to do a job, which one of the services over a shared store has at a time.
  ///
  /// - Parameters:
  ///   - job: The name of the job.
  ///   - holder: Identifies the service.
  ///   - seconds: How long the turn lasts from now on; 0 to pass it on.
  ///   - position: How far the job is done; nil if that has not changed.
  ///   - isNew: Whether to take it if nobody has it; else only its holder keeps it.
  /// - Returns: The turn; nil if it is another's.
  /// - Throws: `StoreError` if the store cannot tell.
  public func turn(
    _ job: String, holder: String, seconds: Int, position: String? = nil, isNew: Bool
  ) async throws(StoreError) -> JobTurn? {
    try await completion {
      store.turn(
        job, holder: holder, seconds: seconds, position: position, isNew: isNew, completion: $0)
    }.get()
  }
}
