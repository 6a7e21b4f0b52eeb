public import VersionedCollections

extension DeltaService {
  /// Creates a ticket for a reader of the feed that is about to start.
  public func changesTicket() -> FollowTicket {
    FollowTicket(id: nextReaderID(), shard: changesShard)
  }

  /// Follows the changes of all collections of all clients, including deletions.
  ///
  /// - Parameters:
  ///   - request: The position and how to follow.
  ///   - ticket: The ticket that resumes and cancels the reader.
  ///   - begin: Called with an error or nil; returns the sink for events.
  public func followChanges(
    _ request: ChangesRequest, _ ticket: FollowTicket,
    begin: @escaping @Sendable (ServiceError?) -> ChangeSink?
  ) {
    let reader = ReaderRequest(id: ticket.id, client: .changes, kind: .feed(request, begin))
    ticket.shard.handle(.arrived(reader))
  }
}
