import Dispatch

/// What a reader of several collections of one client wants.
public struct SyncRequest: Sendable {
  /// One collection, and what the reader holds of it.
  public struct Entry: Hashable, Sendable {
    /// The collection.
    public var name: ResourceName
    /// The version that the reader holds; nil for none.
    public var since: VersionToken?

    /// Puts the two together.
    public init(name: ResourceName, since: VersionToken?) {
      self.name = name
      self.since = since
    }
  }

  /// The collections, each once.
  public var entries: [Entry]
  /// In which form to answer.
  public var form: AnswerForm
  /// Whether the reader wants snapshots, never deltas.
  public var wantsSnapshot: Bool
  /// Where the time that it waits is noted; nil for nowhere.
  public var parkedTime: ParkedTime?
  /// What the log calls it.
  public var requestID: RequestID?

  /// Puts a request together.
  public init(entries: [Entry], form: AnswerForm, wantsSnapshot: Bool = false) {
    self.entries = entries
    self.form = form
    self.wantsSnapshot = wantsSnapshot
  }
}

extension SyncRequest {
  /// What the reader wants of each collection, but for the version that it holds.
  var each: ReadRequest {
    var request = ReadRequest(since: nil, form: form)
    request.wantsSnapshot = wantsSnapshot
    request.requestID = requestID
    return request
  }
}

/// The answer to a reader of several collections, all as of one moment: a batch is seen whole or not
/// at all.
public struct SyncAnswer: Sendable {
  /// A collection with news.
  public struct News: Sendable {
    /// The collection.
    public var name: ResourceName
    /// What is new.
    public var answer: ReadAnswer
  }

  /// Collections with news, in the order asked for.
  public var news: [News] = []
  /// Collections without, and their versions.
  public var unchanged: [SyncRequest.Entry] = []
  /// Collections that do not exist and that the reader has nothing of.
  public var missing: [ResourceName] = []
  /// What the reader has of each collection once it has applied the answer.
  public var held: [SyncRequest.Entry] = []
}

/// How a reader who follows collections wants to be served.
public struct FollowRequest: Sendable {
  /// The collections, and what the reader holds of them.
  public var sync: SyncRequest
  /// How often to give a sign of life.
  public var ping: Duration
  /// When to end, so that connections do not live for ever.
  public var lifetime: Duration

  /// Puts a request together.
  public init(sync: SyncRequest, ping: Duration, lifetime: Duration) {
    self.sync = sync
    self.ping = ping
    self.lifetime = lifetime
  }
}

/// An event for a reader who follows collections, after the first answer.
public enum FollowEvent: Sendable {
  /// Something is new.
  case news(SyncAnswer)
  /// A sign of life.
  case ping
  /// The last event.
  case end(EndReason)
}

/// Why following ends; the raw value is the word of the protocol.
public enum EndReason: String, Sendable {
  /// The connection is old enough.
  case rotate
  /// The service is being shut down.
  case drain
  /// As many wait as may wait.
  case overload
  /// The credential of the reader has expired, or was withdrawn.
  case tokenExpired = "token-expired"
}

/// Where events go.
///
/// Called on a queue of the service; returns whether more can be taken. If not, no event is sent
/// until `FollowTicket.resume` is called; the next one then has all that is new since.
public typealias FollowSink = @Sendable (FollowEvent) -> Bool

/// A reader who follows collections, from the time before it begins.
public struct FollowTicket: Sendable {
  let id: UInt64
  let shard: Shard

  /// Says that events can be taken again.
  public func resume() {
    let id = id
    shard.queue.async { [shard] in shard.resume(id) }
  }

  /// Stops following; no more events are sent.
  public func cancel() {
    let id = id
    shard.queue.async { [shard] in shard.cancel(id) }
  }
}
