import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `GET …/delta` as server-sent events: first a delta, snapshot or bookmark, then each change.
  func stream(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let last = query.lastEventID(scope.request)
    let text = last ?? query[.since] ?? ""
    let since = VersionToken(text)
    guard text.isEmpty || since != nil else {
      return tell(.badToken(last == nil ? "since" : "Last-Event-ID"), scope)
    }
    var entries = [SyncRequest.Entry(try scope.access(key), name: key.name, since: since)]
    entries[0].view = try query.view
    try follow(key.client, entries, .event, scope, query) { answer in
      let news = answer.news.flatMap { EventText.pieces($0.answer, name: $0.name) }
      if !news.isEmpty { return news }
      return answer.unchanged.flatMap { entry in
        entry.since.map {
          EventText.pieces(.unchanged($0, answer.views[entry.name]), name: entry.name)
        } ?? []
      }
    }
  }

  /// `GET …/sync?collections=inbox:T1,cart:T2`: the changes of several collections.
  func syncStream(
    _ client: ResourceName, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    guard scope.request.acceptsEvents else { throw .onlyEvents("; for a single answer, use POST") }
    guard try query.view == nil else { throw .viewOfSeveral }
    let last = query.lastEventID(scope.request)
    let named = try SyncParameters.entries(query[.collections] ?? "", limits: service.limits)
    var scope = scope
    var entries = try scope.entries(named, of: client)
    if let last, !last.isEmpty {
      let held: [NamedCollection]
      do throws(Problem) {
        held = try SyncParameters.entries(last, limits: service.limits)
      } catch {
        return tell(.badToken("Last-Event-ID"), scope)
      }
      for index in entries.indices {
        entries[index].since = held.first { $0.name == entries[index].name }?.since
      }
    }
    try follow(client, entries, .none, scope, query) { EventText.sync($0, held: $0.held) }
  }

  /// `GET /v1/changes`: the feed of changes of all collections.
  func changes(_ scope: RequestScope, _ query: Query) throws(Problem) {
    guard scope.request.allowsEvents else { throw .onlyEvents() }
    let last = query.lastEventID(scope.request)
    let text = last ?? query[.since] ?? ""
    let since = ChangeMark(text)
    guard text.isEmpty || since != nil else {
      return tell(.badToken(last == nil ? "since" : "Last-Event-ID"), scope)
    }
    let changes = ChangesRequest(
      since: since, filter: try query.changeFilter, ping: try query.ping,
      lifetime: streamLifetime)
    open(scope, .eventStream()) { scope in
      let ticket = service.changesTicket()
      service.followChanges(changes, ticket) { error in
        if let error {
          end(error.endsStream ?? .overload, scope, ticket)
          return nil
        }
        let stream = EventStream(scope, head: .eventStream(), ticket: ticket)
        stream.begin(retry: streamPause)
        return { event in
          let isWritable = stream.write(EventText.changes(event, readsAll: scope.readsAll))
          if case .end = event { stream.finish() }
          return isWritable
        }
      }
    }
  }
}

extension PublicRoutes {
  /// Follows collections as a stream of events.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - entries: The collections, and the versions that the reader holds.
  ///   - framing: The framing of each delta.
  ///   - scope: The request.
  ///   - query: Its parameters: `ping`, `closeafter`, `missing`, `dialect`.
  ///   - text: Formats an answer as events.
  /// - Throws: `Problem` if the request is invalid.
  private func follow(
    _ client: ResourceName, _ entries: [SyncRequest.Entry], _ framing: Framing,
    _ scope: RequestScope, _ query: Query,
    text: @escaping @Sendable (SyncAnswer) -> [EncodedText]
  ) throws(Problem) {
    var scope = scope
    scope.subject.kind = .events
    let representation = try Representation(ofEvents: scope.request, query)
    var form = representation.form(scope.codings)
    form.framing = framing.rawValue
    let isViewed = entries.contains(where: \.isViewed)
    var sync = SyncRequest(
      entries: entries, form: form, wantsSnapshot: representation.dialect == .snapshot)
    sync.each.requestID = scope.requestID
    sync.each.versions = try scope.request.shownVersions
    do throws(Problem) {
      sync.each.interest = try scope.interest(isViewed: isViewed)
    } catch {
      return end(.overload, scope)
    }
    // A view's newest version takes the place of a ping, and is told at least once a minute.
    let pingMax: Duration = isViewed ? .seconds(60) : .seconds(120)
    let follow = FollowRequest(
      sync: sync, ping: min(try query.ping, pingMax), lifetime: streamLifetime)
    let tellsMissing = try !query.waitsForMissing
    let text: @Sendable (SyncAnswer) -> [EncodedText] = { answer in
      let events = text(answer)
      guard tellsMissing, answer.leavesNothing(of: entries.count) else { return events }
      return events + [EncodedText(EventStream.text(Problem(.collectionNotFound)))]
    }
    let shape = StreamShape(
      client: client, follow: follow, representation: representation,
      closesAfterEvent: try query.closesAfterEvent, text: text)
    open(scope, .eventStream(nil, representation)) { start(shape, $0) }
  }

  /// A stream that is asked for, and how its answers are written.
  private struct StreamShape: Sendable {
    let client: ResourceName
    var follow: FollowRequest
    let representation: Representation
    let closesAfterEvent: Bool
    let text: @Sendable (SyncAnswer) -> [EncodedText]
    /// Whether a backend that restricts the reader was asked anew.
    var isRenewed = false
    /// Whether its answer was held, as its reader's restriction changes all the time.
    var wasHeld = false
  }

  private func start(_ shape: StreamShape, _ scope: RequestScope) {
    let ticket = service.followTicket(for: shape.client, shape.follow.sync.each.interest)
    scope.onHangup { ticket.cancel() }
    service.follow(shape.client, shape.follow, ticket) { result in
      if let name = result.viewChange {
        if !shape.isRenewed {
          ticket.cancel()
          scope.ifAuthorizedAnew { restart(shape, $0) }
          return nil
        }
        let key = CollectionKey(client: shape.client, name: name)
        let now = scope.uptime
        if !shape.wasHeld, isHeld(key, scope, at: now) {
          ticket.cancel()
          scope.after(now + ViewChanges.hold) { restart(shape, scope, wasHeld: true) }
          return nil
        }
      }
      guard let first = begin(result, scope, ticket) else { return nil }
      return stream(first, shape, scope, ticket)
    }
  }

  /// Asks again for what the reader may see by now.
  private func restart(_ shape: StreamShape, _ scope: RequestScope, wasHeld: Bool = false) {
    scope.attempt { () throws(Problem) in
      var shape = shape
      (shape.isRenewed, shape.wasHeld) = (true, wasHeld)
      shape.follow.sync.entries = try scope.renewed(
        shape.follow.sync.entries, of: shape.client)
      // The interest of the ticket that was cancelled has ended.
      do throws(Problem) {
        shape.follow.sync.each.interest = try scope.interest(
          isViewed: shape.follow.sync.entries.contains(where: \.isViewed))
      } catch {
        return end(.overload, scope)
      }
      start(shape, scope)
    }
  }

  /// Writes the first answer of a stream; returns where its events go, and whether it can be written to; nil if it has
  /// ended.
  private func stream(
    _ first: SyncAnswer, _ shape: StreamShape, _ scope: RequestScope, _ ticket: FollowTicket
  ) -> (sink: FollowSink, isWritable: Bool)? {
    let (entries, representation) = (shape.follow.sync.entries, shape.representation)
    let version = entries.count == 1 ? first.onlyVersion : nil
    if let problem = scope.matchFailure(version) {
      scope.reply(problem)
      return nil
    }
    let stream = EventStream(
      scope, head: .eventStream(version, representation), ticket: ticket
    ) { scope, stream in
      do throws(Problem) {
        ticket.change(try scope.renewed(entries, of: shape.client).map(\.access))
      } catch {
        stream.end(.tokenExpired)
        ticket.cancel()
      }
    }
    scope.count(first, representation.dialect)
    let events = shape.text(first)
    let isWritable = stream.begin(retry: streamPause, events)
    if shape.closesAfterEvent && !events.isEmpty {
      stream.finish()
      return nil
    }
    let sink: FollowSink = { event in
      switch event {
      case .ping: return stream.write(EventText.ping)
      case .end(let reason):
        stream.end(reason)
        return false
      case .refusal(let failure):
        stream.end(scope.problem(failure), .overload)
        return false
      case .news(let answer):
        scope.count(answer, representation.dialect)
        let isWritable = stream.write(shape.text(answer))
        guard shape.closesAfterEvent else { return isWritable }
        stream.finish()
        ticket.cancel()
        return false
      }
    }
    return (sink: sink, isWritable: isWritable)
  }

  /// Charges the first answer of a stream, or ends the stream, or answers with a problem.
  private func begin(
    _ result: Result<SyncAnswer, ServiceFailure>, _ scope: RequestScope, _ ticket: FollowTicket
  ) -> SyncAnswer? {
    switch result {
    case .success(let first):
      var scope = scope
      do throws(Problem) {
        try scope.chargeLoads(first.snapshotCount)
        return first
      } catch {
        end(.overload, scope, ticket)
      }
    case .failure(let failure):
      if let reason = failure.error.endsStream {
        end(reason, scope, ticket)
      } else if case .tooMuchWork = failure.error {
        EventStream(scope, head: .eventStream(), ticket: ticket)
          .end(scope.problem(failure), .overload)
      } else {
        scope.reply(scope.problem(failure))
      }
    }
    return nil
  }

  /// Opens a stream for a follower, if the principal may have one more; answers a HEAD.
  private func open(
    _ scope: RequestScope, _ head: HTTPResponse, _ follow: (RequestScope) -> Void
  ) {
    var scope = scope
    if scope.request.isHead {
      // Nothing is asked about the collection, which may be private.
      if let refusal = scope.refusal { return scope.reply(Problem(refusal)) }
      return scope.reply(head)
    }
    guard scope.takePlace(.streams) else { return end(.overload, scope) }
    follow(scope)
  }

  /// Sends a problem as a stream with a single event.
  private func tell(_ problem: Problem, _ scope: RequestScope) {
    guard scope.request.acceptsEvents else { return scope.reply(problem) }
    var scope = scope
    scope.subject.kind = .events
    if scope.request.isHead { return scope.reply(.eventStream()) }
    EventStream(scope, head: .eventStream(), ticket: nil).end(problem)
  }

  /// Opens a stream only to end it, because an `EventSource` never reconnects after any status but 200.
  func end(_ reason: EndReason, _ scope: RequestScope, _ ticket: FollowTicket? = nil) {
    EventStream(scope, head: .eventStream(), ticket: ticket)
      .end(reason, retry: EventText.patientRetry)
  }

  private var streamLifetime: Duration { .milliseconds(jitter.number(in: streamLifetimes)) }

  /// After how many milliseconds a reader reconnects whose stream broke.
  private var streamPause: Int { jitter.number(in: 1000...4000) }
}

extension ServiceError {
  /// Why a stream ends that could not be followed for a temporary failure; `nil` for any other.
  fileprivate var endsStream: EndReason? {
    switch self {
    case .tooManyParked, .tooMuchParked: .overload
    case .draining: .drain
    default: nil
    }
  }
}

extension SyncAnswer {
  /// The version in an answer about one collection.
  fileprivate var onlyVersion: VersionToken? {
    news.first?.answer.version ?? unchanged.first?.since
  }

  /// Whether a reader of `count` collections holds none of them after this answer.
  fileprivate func leavesNothing(of count: Int) -> Bool {
    missing.count + news.count { if case .deleted = $0.answer { true } else { false } } == count
  }
}
