extension DeltaService {
  /// Asks what changed in several collections, now or as soon as something has.
  ///
  /// - Parameters:
  ///   - client: Whose collections they are.
  ///   - request: What the reader holds.
  ///   - waitSeconds: How long to wait for news; clamped to the limit.
  ///   - reply: Gets the answer, all as of one moment.
  /// - Returns: What to cancel the wait with.
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

  /// Makes a ticket for a follower that is about to begin.
  public func followTicket(for client: ResourceName) -> FollowTicket {
    FollowTicket(id: nextWaiterID(), shard: shard(of: client))
  }

  /// Follows collections: an answer at once, then events until the reader has enough.
  ///
  /// - Parameters:
  ///   - client: Whose collections they are.
  ///   - request: What to follow, and how.
  ///   - ticket: What the follower is resumed and cancelled with.
  ///   - begin: Gets the first answer, in which collections without news are bookmarks, or why
  ///     there is nothing to follow. It gives where events go and whether more can be taken at
  ///     once; nil when that was all.
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
