/// What a feed keeps up to date: the replica of one collection, or of several as of one moment.
protocol FeedFollower: Sendable {
  associatedtype Change: Sendable

  /// The collections of one client.
  var collections: [CollectionAddress] { get }
  /// The replicas, by the names of their collections.
  var replicas: [String: CollectionReplica] { get }
  /// The change that shows the content; `nil` if there is none.
  var content: Change? { get }

  /// Whether the next request may be answered with merge patches of items.
  var asksForPatches: Bool { get }
  /// The path of a stream of what changes from here on; `nil` if it would be too long.
  func streamPath(ping seconds: Int) -> String?

  /// Applies an event of a stream.
  mutating func take(_ event: StreamEvent) throws(ClientError) -> EventEffect<Change>
  /// Requests what changed, and applies it; `nil` if nothing did.
  mutating func ask(wait: Int?) async throws(ClientError) -> Change?
  /// Requests anew the whole of what an answer did not fit, and applies it.
  mutating func startOver(after fault: ReplicaError) async throws(ClientError) -> Change?
}

/// The effect of an event on what a feed keeps up to date.
enum EventEffect<Change: Sendable>: Sendable {
  /// The event brings no change.
  case none
  /// The content changed.
  case change(Change)
  /// The event does not fit and was dropped.
  case dropped(ReplicaError)
}

extension FeedFollower {
  /// The versions, by the names of their collections.
  var versions: [String: String] { replicas.compactMapValues(\.version) }
}

extension CollectionReplica {
  /// Whether a request for what changed may be answered with merge patches of items.
  ///
  /// Also without content: a stream begins with all of it, and patches come later.
  var asksForPatches: Bool { version == nil || takesItemPatches }

  /// The change that shows the content; `nil` if there is none.
  var content: ReplicaChange? { version.map { _ in .replaced(by: sections, reset: nil) } }
}

extension CollectionFollower: FeedFollower {
  var collections: [CollectionAddress] { [collection] }
  var replicas: [String: CollectionReplica] { [collection.name: replica] }
  var content: ReplicaChange? { replica.content }

  func streamPath(ping seconds: Int) -> String? {
    "\(collection.path)/delta?since=\((replica.version ?? "").percentEncoded)&ping=\(seconds)"
  }

  mutating func take(_ event: StreamEvent) throws(ClientError) -> EventEffect<ReplicaChange> {
    guard let reply = try client.answer(of: event, idPath: collection.idPath) else { return .none }
    // A deletion may be repeated.
    if case .deleted = reply.value, replica.version == nil { return .none }
    do {
      return EventEffect(try take(reply).change)
    } catch {
      return .dropped(error)
    }
  }

  mutating func ask(wait: Int?) async throws(ClientError) -> ReplicaChange? {
    try await next(wait: wait, awaitsCreation: wait != nil).change.ifAny
  }

  mutating func startOver(after fault: ReplicaError) async throws(ClientError) -> ReplicaChange? {
    try await reload(after: fault).change.ifAny
  }
}

extension EventEffect<ReplicaChange> {
  fileprivate init(_ change: ReplicaChange) {
    self = change.ifAny.map { .change($0) } ?? .none
  }
}

extension ReplicaChange {
  /// The change; `nil` if nothing changed.
  fileprivate var ifAny: ReplicaChange? {
    if case .unchanged = self { nil } else { self }
  }
}
