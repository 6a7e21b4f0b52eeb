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
  /// Whether news is to be told as snapshots, even where a delta is to be had.
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

/// What a reader of several collections is told: all as of one moment, so that a batch is seen
/// whole or not at all.
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
}

/// How a reader who follows collections wants to be served.
public struct FollowRequest: Sendable {
  /// The collections, and what the reader holds of them.
  public var sync: SyncRequest
  /// How often to give a sign of life.
  public var ping: Duration
  /// When to end, so that connections do not live for ever.
  public var lifetime: Duration
  /// Whether to wait for collections that do not exist; if not, there must be at least one, and
  /// following ends when none is left.
  public var waitsForCollection: Bool

  /// Puts a request together.
  public init(
    sync: SyncRequest, ping: Duration, lifetime: Duration, waitsForCollection: Bool
  ) {
    self.sync = sync
    self.ping = ping
    self.lifetime = lifetime
    self.waitsForCollection = waitsForCollection
  }
}

/// What a reader who follows collections is told, after the first answer.
public enum FollowEvent: Sendable {
  /// Something is new.
  case news(SyncAnswer)
  /// Nothing is.
  case ping
  /// That was all.
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
  /// What was followed is gone.
  case deleted
}

/// Where events go.
///
/// Called on a queue of the service; returns whether more can be taken. If not, the follower is
/// left alone until `FollowTicket.resume` is called: it is told then what is new since.
public typealias FollowSink = @Sendable (FollowEvent) -> Bool

/// A reader who follows collections, from the time before it begins.
public struct FollowTicket: Sendable {
  let id: UInt64
  let shard: Shard

  /// Tells that events can be taken again.
  public func resume() {
    let id = id
    shard.queue.async { [shard] in shard.resume(id) }
  }

  /// Stops following; nothing is told any more.
  public func cancel() {
    let id = id
    shard.queue.async { [shard] in shard.cancel(id) }
  }
}
