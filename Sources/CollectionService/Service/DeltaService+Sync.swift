public import VersionedCollections

extension DeltaService {
  /// Reads the changes of several collections, waiting for some if there are none.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - request: The versions that the reader has.
  ///   - waitSeconds: The longest time to wait for changes, clamped to the limit.
  ///   - reply: Called with the answer, which is consistent across the collections.
  /// - Returns: A ticket that cancels the wait.
  @discardableResult
  public func sync(
    _ client: ResourceName, _ request: SyncRequest, waitSeconds: Int,
    reply: @escaping @Sendable (Result<SyncAnswer, ServiceFailure>) -> Void
  ) -> ReadTicket {
    let id = nextWaiterID()
    let shard = shard(of: client)
    shard.perform {
      $0.withLoaded(client, request.entries, request.each, making: true, reader: id) {
        shard, error in
        if let error {
          return reply(.failure(ServiceFailure(ServiceError(error), current: nil)))
        }
        shard.sync(client, request, waitSeconds: waitSeconds, id: id, reply: reply)
      }
    }
    return ReadTicket(id: id, shard: shard)
  }

  /// Creates a ticket for a follower that is about to start.
  public func followTicket(for client: ResourceName) -> FollowTicket {
    FollowTicket(id: nextWaiterID(), shard: shard(of: client))
  }

  /// Follows collections: sends an answer immediately, then events until cancelled.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - request: The collections and how to follow them.
  ///   - ticket: The ticket that resumes and cancels the follower.
  ///   - begin: Called with the first answer, in which unchanged collections are bookmarks, or with
  ///     an error. Returns the sink for events and whether it is writable, or nil if there is no
  ///     stream.
  public func follow(
    _ client: ResourceName, _ request: FollowRequest, _ ticket: FollowTicket,
    begin:
      @escaping @Sendable (Result<SyncAnswer, ServiceFailure>) -> (
        sink: FollowSink, isWritable: Bool
      )?
  ) {
    let sync = request.sync
    ticket.shard.perform {
      $0.withLoaded(client, sync.entries, sync.each, making: true, reader: ticket.id) {
        shard, error in
        if let error {
          _ = begin(.failure(ServiceFailure(ServiceError(error), current: nil)))
        } else {
          shard.follow(client, request, id: ticket.id, begin: begin)
        }
      }
    }
  }
}
