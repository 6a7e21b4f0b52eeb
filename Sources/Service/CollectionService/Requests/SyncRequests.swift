public import VersionedCollections

/// A request to read several collections of a client.
public struct SyncRequest: Sendable {
  /// A collection, and the reader's version of it.
  public struct Entry: Hashable, Sendable {
    /// The collection.
    public var name: ResourceName
    /// The version that the reader has; nil for none.
    public var since: VersionToken?
    /// The reader's question; nil for all that it may see.
    package var view: ViewQuery?
    /// What the reader may see of it.
    package var access: ReadAccess
    /// A newer version that shows the same in the view, as the reader has not been told yet.
    var same: VersionToken?

    /// Creates an entry.
    package init(_ access: ReadAccess, name: ResourceName, since: VersionToken?) {
      self.access = access
      self.name = name
      self.since = since
    }
  }

  /// The collections, each once.
  public var entries: [Entry]
  /// The options for each of them; its entry has the version and the view.
  public var each: ReadRequest
  /// Whether it is about one collection, not a list of them that may have any number.
  private(set) var isOfOne = false

  /// Creates a request.
  public init(entries: [Entry], form: AnswerForm, wantsSnapshot: Bool = false) {
    self.entries = entries
    // Each entry has its own access.
    each = ReadRequest(.ifPublic, since: nil, form: form, waitsForCollection: true)
    each.wantsSnapshot = wantsSnapshot
  }

  /// Creates the request to read one collection.
  init(_ name: ResourceName, _ request: ReadRequest) {
    entries = [Entry(request.access, name: name, since: request.since)]
    entries[0].view = request.form.view
    each = request
    isOfOne = true
  }

  /// The request for one of the collections.
  func request(_ entry: Entry) -> ReadRequest {
    var request = each
    (request.access, request.since, request.same) = (entry.access, entry.since, entry.same)
    request.form.view = entry.view
    request.form.sinceMark = entry.since?.renewalMark
    request.access = entry.access
    return request
  }
}

/// The changes of several collections at one moment; a batch is included completely or not at all.
public struct SyncAnswer: Sendable {
  /// A changed collection.
  public struct News: Sendable {
    /// The collection.
    public var name: ResourceName
    /// The change.
    public var answer: ReadAnswer
  }

  /// The changed collections, in the order requested.
  public var news: [News] = []
  /// The unchanged collections with their versions.
  public var unchanged: [SyncRequest.Entry] = []
  /// The collections that do not exist and of which the reader has no version.
  public var missing: [ResourceName] = []
  /// The versions that the reader has after applying the answer.
  public var held: [SyncRequest.Entry] = []
  /// The numbers of the views in which nothing changed.
  package var views: [ResourceName: ViewNumbers] = [:]
}

extension SyncRequest.Entry {
  /// Whether the reader sees the collection through a view, or may have to.
  package var isViewed: Bool { view != nil || access.isRestricted }

  private var restriction: ViewRestriction? {
    if case .restricted(let restriction) = access { restriction } else { nil }
  }

  /// The approximate size in bytes of the reader's view, and of what is imposed on it.
  var viewBytes: Int { (view?.view.byteCount ?? 0) + (restriction?.byteCount ?? 0) }

  /// The terms that items are held against for the reader.
  var termCount: Int { (view?.view.terms.count ?? 0) + (restriction?.terms.count ?? 0) }

  /// Whether the reader asks for another window than it holds.
  var movesWindow: Bool { view?.was.map { $0 != view?.window } ?? false }

  /// The newest version that is known to show what the reader has.
  var newest: VersionToken? { same ?? since }

  /// The entry once the reader is told of that version.
  var told: SyncRequest.Entry {
    var entry = self
    (entry.since, entry.same) = (newest, nil)
    return entry
  }
}

extension SyncAnswer {
  /// The answer as it is given: the reader then has the newest versions that show the same in its views.
  var told: SyncAnswer {
    var answer = self
    answer.unchanged = unchanged.map(\.told)
    answer.held = held.map(\.told)
    return answer
  }

  var only: Result<ReadAnswer, ServiceFailure> {
    if let news = news.first { return .success(news.answer) }
    guard let entry = unchanged.first, let version = entry.newest else {
      return .failure(ServiceFailure(.collectionNotFound, current: nil))
    }
    return .success(.unchanged(version, views[entry.name]))
  }
}

/// A request to follow collections.
public struct FollowRequest: Sendable {
  /// The collections and the reader's versions.
  public var sync: SyncRequest
  /// The interval between keep-alives.
  public var ping: Duration
  /// The time after which the stream ends, to limit the age of connections.
  public var lifetime: Duration

  /// Creates a request.
  public init(sync: SyncRequest, ping: Duration, lifetime: Duration) {
    self.sync = sync
    self.ping = ping
    self.lifetime = lifetime
  }
}

/// An event on a stream, after the first answer.
public enum FollowEvent: Sendable {
  /// Collections have changed.
  case news(SyncAnswer)
  /// A keep-alive.
  case ping
  /// The last event of the stream.
  case end(EndReason)
  /// Why the stream ends that cannot go on, in place of the last event.
  case refusal(ServiceFailure)
}

/// Why a stream ends; the raw value is the word in the protocol.
public enum EndReason: String, Sendable {
  /// The lifetime of the stream is over.
  case rotate
  /// The service is shutting down.
  case drain
  /// Too many readers are waiting, the changes are too large, or they could not be loaded.
  case overload
  /// The reader's credential has expired or was withdrawn.
  case tokenExpired = "token-expired"
  /// Whoever knows the reader's credential did not answer for too long.
  case unverified
}

/// The sink for events; returns whether it can take more.
///
/// Called on a queue of the service. After it returned false, no event is sent until
/// `FollowTicket.resume` is called; the next one then includes all changes since.
public typealias FollowSink = @Sendable (FollowEvent) -> Bool
