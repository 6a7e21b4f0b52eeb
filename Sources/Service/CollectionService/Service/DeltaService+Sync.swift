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
    reply: @escaping ServiceReply<SyncAnswer>
  ) -> ReadTicket {
    var request = request
    request.each.waitSeconds = waitSeconds
    return ReadTicket(
      shard(of: client), nextReaderID(), client, request
    ) { answer, _ in reply(answer.map(\.told)) }
  }

  /// Creates a ticket for a follower that is about to start; cancelling it ends the interest in its answers.
  public func followTicket(
    for client: ResourceName, _ interest: ReadInterest? = nil
  ) -> FollowTicket {
    FollowTicket(id: nextReaderID(), shard: shard(of: client), interest: interest)
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
    ticket.shard.handle(
      .arrived(ReaderRequest(id: ticket.id, client: client, kind: .stream(request, begin))))
  }
}
