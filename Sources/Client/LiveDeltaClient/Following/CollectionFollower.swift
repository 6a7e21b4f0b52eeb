import SnapshotJSON

/// A replica of a collection, kept up to date through a client.
///
/// As the protocol requires, an answer that does not fit is dropped and a snapshot requested
/// instead.
///
/// ```swift
/// var follower = CollectionFollower(client, inbox)
/// while true { show(try await follower.next().change) }
/// ```
public struct CollectionFollower: Sendable {
  /// A change, and the answer that it came from.
  public struct News: Sendable {
    /// What changed in the replica.
    public var change: ReplicaChange
    /// The answer that was applied.
    public var answer: ClientResponse
    /// The error for which a previous answer was dropped, if any.
    public var dropped: ReplicaError?
  }

  /// The copy of the collection.
  public private(set) var replica: CollectionReplica
  /// The collection.
  public let collection: CollectionAddress
  let client: DeltaClient
  private let takesItemPatches: Bool

  /// Creates a follower, without contents unless it is given some.
  ///
  /// - Parameters:
  ///   - client: Requests what changed.
  ///   - collection: The collection.
  ///   - replica: The contents to start from.
  ///   - takesItemPatches: Whether changed items may be sent as merge patches. Pass false if you use the
  ///     answers themselves, which then contain whole items.
  public init(
    _ client: DeltaClient, _ collection: CollectionAddress,
    holding replica: CollectionReplica = CollectionReplica(), takesItemPatches: Bool = true
  ) {
    self.replica = replica
    self.client = client
    self.collection = collection
    self.takesItemPatches = takesItemPatches
  }

  /// Requests the changes since the current version, waiting if there are none, and applies them.
  ///
  /// - Parameters:
  ///   - wait: The seconds to wait, 0 to 55; `nil` to get an answer immediately.
  ///   - awaitsCreation: Whether to wait as well if the collection does not exist.
  /// - Returns: The change; `unchanged` if the wait ended without one.
  /// - Throws: `ClientError`; the replica is then unchanged.
  public mutating func next(
    wait: Int? = 25, awaitsCreation: Bool = false
  ) async throws(ClientError) -> News {
    let reply = try await client.change(
      of: collection, since: replica.version, wait: wait, awaitsCreation: awaitsCreation,
      patchesItems: takesItemPatches && replica.asksForPatches)
    do {
      return News(change: try replica.apply(reply.value), answer: reply.answer)
    } catch let fault {
      let reply = try await client.delta(
        of: collection, since: nil, avoidsCaches: true)
      do {
        let change = try replica.apply(reply.value)
        return News(change: change, answer: reply.answer, dropped: fault)
      } catch {
        throw .malformed("\(error), asked for everything")
      }
    }
  }
}

extension DeltaClient {
  /// Returns the changes from a version to the newest; if there was one and there is no collection, that
  /// it was deleted.
  func change(
    of collection: CollectionAddress, since version: String?, wait: Int?, awaitsCreation: Bool,
    patchesItems: Bool, avoidsCaches: Bool = false, was: String? = nil
  ) async throws(ClientError) -> ClientReply<DeltaAnswer> {
    do {
      return try await delta(
        of: collection, since: version, wait: wait,
        awaitsCreation: awaitsCreation && version == nil, patchesItems: patchesItems,
        avoidsCaches: avoidsCaches, was: version == nil ? nil : was)
    } catch ClientError.problem(let problem)
      where problem.code == "collection-not-found" && version != nil
    {
      let body = JSONWriter.object {
        $0.member("kind", "deleted")
        $0.member("collection", collection.name)
      }
      return ClientReply(.deleted, ClientResponse(status: 200, body: body))
    }
  }
}

extension CollectionReplica {
  /// Whether a request for what changed may be answered with merge patches of items.
  ///
  /// Also without content: a stream begins with all of it, and patches come later.
  var asksForPatches: Bool { version == nil || takesItemPatches }
}
