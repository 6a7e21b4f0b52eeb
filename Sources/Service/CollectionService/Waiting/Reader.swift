import VersionedCollections

/// Called with the answer and what it was created from.
typealias PollReply =
  @Sendable (_ result: Result<SyncAnswer, ServiceFailure>, _ source: AnswerSource) -> Void

struct ReaderRequest: Sendable {
  /// What is read, and where the answers go.
  enum Kind: Sendable {
    /// Collections at one moment.
    case poll(SyncRequest, PollReply)
    case stream(FollowRequest, FollowStart)
    /// The feed of all changes, on a stream.
    case feed(ChangesRequest, ChangesStart)
  }

  let id: UInt64
  let client: ResourceName
  let kind: Kind
}

/// A reader that could not be answered in the event in which it arrived.
///
/// It is a waiter from that moment on, whatever it waits for: a load, changes, or its answer.
final class Reader {
  /// The results of an evaluation.
  enum Outcome {
    case done
    /// There is nothing to send; evaluate again at the deadline or on the next event.
    case wait(until: Duration)
    /// There is something to send once the requirements are loaded.
    case load(Requirements)
    /// The answer, or the beginning of the stream, is being made.
    case answering
  }

  enum Phase {
    /// What it asks for is being loaded for the first time.
    case arriving
    /// Changes; meanwhile something may be loaded for it.
    case waiting
    /// Its answer, or the beginning of its stream.
    case answering
  }

  let id: UInt64
  /// The client; another one once the client has left memory and come back while the answer was made.
  var client: ClientState
  let kind: ReaderRequest.Kind
  /// The options of its request, the same for each collection; nil for the feed.
  let each: ReadRequest?
  /// The collections it asks for, and the versions that it has.
  var entries: [SyncRequest.Entry]
  var phase = Phase.arriving
  /// Whether something is being loaded for it.
  var isLoading = false
  /// Whether it counts as waiting, and is notified of changes.
  var isCounted = false
  /// The bytes of its views that are included in the shard's count.
  var countedBytes = 0
  /// Whether what it may see has changed, so that its stream ends once it is told.
  var hasOtherAccess = false
  /// Whether it waits for changes no longer.
  var hasWaitEnded = false
  /// Until when it waits for changes.
  var newsUntil = Duration.zero
  /// Until when it waits for a version that it has and the collection has not reached yet.
  var catchUpUntil = Duration.zero
  /// The time of the next evaluation; the deadline queue may hold an earlier one.
  var deadline = Duration.zero
  var pendingEvent: ReaderEvent?
  /// When the change happened that it is to be told of; nil if there is none.
  var notified: Duration?
  /// Its stream, once that has begun.
  var stream: Stream?
  /// Its position in the feed of changes, once its stream has begun.
  var position: FeedPosition?

  init(_ request: ReaderRequest, _ client: ClientState) {
    id = request.id
    self.client = client
    kind = request.kind
    switch kind {
    case .poll(let request, _): (entries, each) = (request.entries, request.each)
    case .stream(let request, _): (entries, each) = (request.sync.entries, request.sync.each)
    case .feed: (entries, each) = ([.init(.everything, name: client.name, since: nil)], nil)
    }
  }

  /// The approximate size of its views in bytes.
  var viewBytes: Int { entries.reduce(0) { $0 + $1.viewBytes } }

  /// Records the time spent waiting; nil if nobody wants to know.
  var waitingTime: ParkedTime? { each?.parkedTime }

  /// The commit time of the change that an action notifies the reader of; returned once.
  func endingWake() -> Duration? {
    defer { notified = nil }
    return notified
  }
}
