import Authentication
import CollectionService
import HTTP1
import VersionedCollections

extension PublicRoutes {
  /// `GET …/delta` as server-sent events: first a delta, snapshot or bookmark, then each change.
  func stream(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let last = scope.lastEventID
    let text = last ?? query[.since] ?? ""
    let since = VersionToken(text)
    guard text.isEmpty || since != nil else {
      return tell(.badToken(last == nil ? "since" : "Last-Event-ID"), scope)
    }
    let entries = [SyncRequest.Entry(name: key.name, since: since)]
    let resume = scope.authorization?.resume
    let framing = resume == nil ? Framing.event : .eventWithoutID
    try follow(key.client, entries, framing, scope, query) { answer in
      let news = answer.news.flatMap { EventText.pieces($0.answer, name: $0.name, resume) }
      if !news.isEmpty { return news }
      return answer.unchanged.flatMap { entry in
        entry.since.map { EventText.pieces(.unchanged($0), name: entry.name, resume) } ?? []
      }
    }
  }

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
  func follow(
    _ client: ResourceName, _ entries: [SyncRequest.Entry], _ framing: Framing,
    _ scope: RequestScope, _ query: Query,
    text: @escaping @Sendable (SyncAnswer) -> [EncodedText]
  ) throws(Problem) {
    var scope = scope
    scope.subject.kind = .events
    let representation = try Representation(ofEvents: scope.request, query)
    var follow = try followRequest(entries, framing, representation, scope.codings, query)
    follow.sync.requestID = scope.requestID
    follow.sync.versions = try scope.request.shownVersions
    if scope.request.isHead { return scope.reply(.eventStream(nil, representation)) }
    let closesAfterEvent = try query.closesAfterEvent
    let tellsMissing = try !query.waitsForMissing
    guard scope.takePlace(.streams) else { return end(.overload, scope, ticket: nil) }
    let ticket = service.followTicket(for: client)
    service.follow(client, follow, ticket) { [scope] result in
      let text: @Sendable (SyncAnswer) -> [EncodedText] = { answer in
        let events = text(answer)
        guard tellsMissing, answer.leavesNothing(of: entries.count) else { return events }
        return events + [EncodedText(EventText.problem(Problem(.collectionNotFound)))]
      }
      switch result {
      case .success(let first):
        var charged = scope
        do throws(Problem) {
          try charged.chargeLoads(first.snapshotCount)
        } catch {
          self.end(.overload, scope, ticket: ticket)
          return nil
        }
        let version = entries.count == 1 ? first.onlyVersion : nil
        let stream = EventStream(
          scope, head: .eventStream(version, representation), ticket: ticket, text: text)
        scope.count(first, representation.dialect)
        let isWritable = stream.begin(first)
        if closesAfterEvent && !text(first).isEmpty {
          stream.finish()
          return nil
        }
        return (
          sink: { event in
            if case .news(let answer) = event {
              scope.count(answer, representation.dialect)
            }
            let isWritable = stream.take(event)
            guard closesAfterEvent, case .news = event else { return isWritable }
            stream.finish()
            ticket.cancel()
            return false
          }, isWritable: isWritable
        )
      case .failure(let failure):
        self.refuse(failure, scope, ticket)
        return nil
      }
    }
  }

  /// Sends a problem as a stream with a single event.
  func tell(_ problem: Problem, _ scope: RequestScope) {
    guard scope.request.acceptsEvents else { return scope.reply(problem) }
    var scope = scope
    scope.subject.kind = .events
    if scope.request.isHead { return scope.reply(.eventStream(nil)) }
    let stream = EventStream(scope, head: .eventStream(nil), ticket: nil) { _ in [] }
    stream.write(EventText.problem(problem))
    stream.finish()
  }

  /// Ends the stream for a temporary failure; answers any other with a problem.
  private func refuse(_ failure: ServiceFailure, _ scope: RequestScope, _ ticket: FollowTicket) {
    let reason: EndReason
    switch failure.error {
    case .tooManyParked: reason = .overload
    case .draining: reason = .drain
    default: return scope.reply(Problem(failure))
    }
    end(reason, scope, ticket: ticket)
  }

  /// Opens a stream only to end it, because an `EventSource` never reconnects after any status but 200.
  func end(_ reason: EndReason, _ scope: RequestScope, ticket: FollowTicket?) {
    let stream = EventStream(scope, head: .eventStream(nil), ticket: ticket) { _ in [] }
    stream.end(reason, retry: EventText.patientRetry)
  }

  private func followRequest(
    _ entries: [SyncRequest.Entry], _ framing: Framing, _ representation: Representation,
    _ codings: AcceptedCodings, _ query: Query
  ) throws(Problem) -> FollowRequest {
    var form = representation.form(codings)
    form.framing = framing.rawValue
    return FollowRequest(
      sync: SyncRequest(
        entries: entries, form: form, wantsSnapshot: representation.dialect == .snapshot),
      ping: try query.ping, lifetime: Self.streamLifetime)
  }
}

extension PublicRoutes {
  /// The lifetime of a stream: 300 s ± 20 %, so that readers do not reconnect all at once.
  static var streamLifetime: Duration { .milliseconds(Int.random(in: 240_000...360_000)) }
}

extension Query {
  /// The interval between pings of a stream.
  var ping: Duration {
    get throws(Problem) {
      let seconds = try number(.ping) ?? Self.pingSecondsDefault
      return .seconds(min(max(seconds, Self.pingSeconds.lowerBound), Self.pingSeconds.upperBound))
    }
  }

  /// Whether `missing=wait` was given.
  var waitsForMissing: Bool {
    get throws(Problem) {
      guard let missing = self[.missing] else { return false }
      guard missing == "wait" else { throw .badParameter("missing is wait, or left out") }
      return true
    }
  }

  /// Whether `closeafter=event` was given.
  fileprivate var closesAfterEvent: Bool {
    get throws(Problem) {
      guard let value = self[.closeAfter] else { return false }
      guard value == "event" else { throw .badParameter("closeafter is event, or left out") }
      return true
    }
  }
}

extension SyncAnswer {
  /// The number of snapshots in it.
  var snapshotCount: Int {
    news.count { if case .snapshot = $0.answer { true } else { false } }
  }

  /// The version in an answer about one collection.
  fileprivate var onlyVersion: VersionToken? {
    news.first?.answer.version ?? unchanged.first?.since
  }

  /// Whether a reader of `count` collections holds none of them after this answer.
  fileprivate func leavesNothing(of count: Int) -> Bool {
    missing.count + news.count { if case .deleted = $0.answer { true } else { false } } == count
  }
}
