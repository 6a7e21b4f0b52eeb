package import VersionedCollections

/// A ticket for a read that may be waiting.
public struct ReadTicket: Sendable {
  let id: UInt64
  let shard: Shard
  private let interest: ReadInterest?

  init(
    _ shard: Shard, _ id: UInt64, _ client: ResourceName, _ request: SyncRequest,
    _ reply: @escaping PollReply
  ) {
    (self.id, self.shard, interest) = (id, shard, request.each.interest)
    let kind = ReaderRequest.Kind.poll(request, reply)
    shard.handle(.arrived(ReaderRequest(id: id, client: client, kind: kind)))
  }

  /// Cancels the wait, and the work on the answer; the reply is not called unless it is already in progress.
  public func cancel() {
    interest?.end()
    shard.handle(.left(id))
  }

  /// Ends the wait: what is known now is the answer.
  public func endWait() { shard.handle(.waitEnded(id)) }
}

/// A ticket for a reader that follows collections, created before the stream starts.
public struct FollowTicket: Sendable {
  let id: UInt64
  let shard: Shard
  var interest: ReadInterest?

  /// Resumes the stream when its sink can take events again.
  public func resume() { shard.handle(.writable(id)) }

  /// Has the stream show what its reader may see from now on, in the order of its collections.
  ///
  /// It ends after the snapshots with which the reader begins anew.
  package func change(_ access: [ReadAccess]) { shard.handle(.accessChanged(id, access)) }

  /// Cancels the stream; no more events are sent.
  public func cancel() {
    interest?.end()
    shard.handle(.left(id))
  }
}
