import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `GET` of a collection: its snapshot.
  func snapshot(
    _ key: CollectionKey, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    let representation = try Representation(scope.request, query)
    let caching = try AnswerCaching(scope.request, query, representation)
    let isRenewed = try query.isRenewed
    var request = ReadRequest(
      try scope.access(key), since: nil, form: representation.form(scope.codings))
    request.form.view = try query.view
    request.requestID = scope.requestID
    request.versions = try scope.request.shownVersions
    request.interest = try scope.interest(isViewed: request.isViewed)
    let ticket = service.read(key, request) { [view = request.form.view] result, source in
      guard isRenewed, source.ages != nil else {
        return reply(result, key, scope, representation, view, caching, as: .state, from: source)
      }
      // It is of this moment, and so is its mark.
      let answer = result.map { $0.renewed(service.renewalMark) }
      let moment = AnswerSource(ages: source.ages)
      reply(answer, key, scope, representation, view, caching, as: .moment, from: moment)
    }
    if request.isViewed { scope.endWaitOnHangup(ticket) }
  }

  /// Replies with the state of a collection, unless the client has it.
  func reply(
    _ result: Result<ReadAnswer, ServiceFailure>, _ key: CollectionKey, _ scope: RequestScope,
    _ representation: Representation, _ view: ViewQuery?, _ caching: AnswerCaching,
    as content: AnswerCaching.Content, from source: AnswerSource
  ) {
    scope.attempt { () throws(Problem) in
      let answer = try result.mapError { scope.problem($0) }.get()
      var scope = scope
      let isSeen = EntityTag.isSeen(scope.request, answer, view)
      try scope.chargeLoads(isSeen ? 0 : answer.snapshotCount)
      scope.note(answer, representation.dialect)
      var response = HTTPResponse.answer(
        answer, name: key.name, representation, scope.codings, isTagged: true, view)
      caching.mark(&response, as: content, source.ages)
      scope.reply(isSeen ? response.notModified : response, of: source.head)
    }
  }

  /// `GET …/delta?since=T`: the changes since a version.
  func delta(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    let caching = try AnswerCaching(scope.request, query, representation)
    let since = try query.token(.since)
    let wait = try query.number(.wait).map { min(max($0, 0), service.limits.waitSecondsMax) }
    var request = ReadRequest(
      try scope.access(key), since: since, form: representation.form(scope.codings),
      waitSeconds: wait ?? 0, waitsForCollection: try query.waitsForMissing,
      isStrict: Preferences(scope.request).isStrict)
    request.form.view = try query.view
    request.wantsSnapshot = representation.dialect == .snapshot
    request.versions = try scope.request.shownVersions
    var scope = scope
    if (wait ?? 0) > 0 { try scope.takePlaceToWait() }
    if request.mayWait { scope.subject.parked = ParkedTime() }
    request.parkedTime = scope.subject.parked
    request.requestID = scope.requestID
    request.interest = try scope.interest(isViewed: request.isViewed)
    poll(
      Poll(
        key: key, request: request, representation: representation, caching: caching,
        wait: wait), scope)
  }

  /// A question for the changes since a version, and how it is answered.
  private struct Poll: Sendable {
    let key: CollectionKey
    var request: ReadRequest
    let representation: Representation
    let caching: AnswerCaching
    /// The seconds to wait, clamped; nil if not given.
    let wait: Int?
    /// Whether a backend that restricts the reader was asked anew.
    var isRenewed = false
  }

  private func poll(_ poll: Poll, _ scope: RequestScope) {
    let watch = (poll.wait ?? 0) > 0 ? WaitWatch() : nil
    let ticket = service.read(poll.key, poll.request) { result, source in
      watch?.end()
      scope.ifAuthorized(waitSeconds: poll.wait ?? 0) { scope in
        if result.isViewChange, !poll.isRenewed {
          return scope.ifAuthorizedAnew { repeatPoll(poll, $0) }
        }
        scope.attempt { () throws(Problem) in
          // It may see something else than when it came.
          if try scope.access(poll.key) != poll.request.access {
            return repeatPoll(poll, scope)
          }
          if result.isViewChange {
            return hold(poll.key, scope) { reply(result, source, poll, $0) }
          }
          reply(result, source, poll, scope)
        }
      }
    }
    if poll.request.mayWait || poll.request.isViewed {
      scope.endWaitOnHangup(ticket, watch)
    }
  }

  /// Asks again for what the reader may see by now.
  private func repeatPoll(_ poll: Poll, _ scope: RequestScope) {
    scope.attempt { () throws(Problem) in
      var poll = poll
      poll.isRenewed = true
      poll.request.access = try scope.access(poll.key)
      poll.request.interest = try scope.interest(isViewed: poll.request.isViewed)
      poll.request.waitSeconds = 0
      self.poll(poll, scope)
    }
  }

  /// Holds the answer to a reader whose restriction changes all the time.
  func hold(
    _ key: CollectionKey, _ scope: RequestScope,
    _ reply: @escaping @Sendable (RequestScope) -> Void
  ) {
    let now = scope.uptime
    guard isHeld(key, scope, at: now) else { return reply(scope) }
    scope.after(now + ViewChanges.hold) { reply(scope) }
  }

  /// Records that a reader begins anew because of another restriction; returns whether its answer is held.
  func isHeld(_ key: CollectionKey, _ scope: RequestScope, at now: Duration) -> Bool {
    let reader = ViewChanges.Reader(
      principal: scope.authorization?.principal.name ?? "", key: key)
    guard let isReported = viewChanges.record(reader, at: now) else { return false }
    if isReported {
      scope.report(
        Fault(
          .view, "the restriction of a reader changes all the time: its answers are held",
          client: key.client, collection: key.name, requestID: scope.requestID))
    }
    return true
  }

  private func reply(
    _ result: Result<ReadAnswer, ServiceFailure>, _ source: AnswerSource, _ poll: Poll,
    _ scope: RequestScope
  ) {
    scope.attempt { () throws(Problem) in
      var scope = scope
      var response: HTTPResponse
      var isRepeated = false
      switch result {
      case .success(let answer):
        try scope.chargeLoads(answer.snapshotCount)
        scope.note(answer, poll.representation.dialect)
        response = .answer(answer, name: poll.key.name, poll.representation, scope.codings)
        let isAtOnce = (poll.wait ?? 0) == 0
        let content: AnswerCaching.Content =
          answer.isDeltaOrInitial
          ? .changes(waited: !isAtOnce, isInitial: poll.request.since == nil) : .moment
        poll.caching.mark(&response, as: content, source.ages)
        // Each reset is counted.
        isRepeated = isAtOnce && !answer.isReset
      case .failure(let failure):
        response = scope.problem(failure).naming(scope.requestID).response
      }
      if let wait = poll.wait { response.setField("Collection-Wait", wait) }
      scope.reply(response, of: isRepeated ? source.head : nil)
    }
  }

  /// `GET /v1/clients`: the clients that have collections, by name.
  func clients(_ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page
    let principal = scope.authorization?.principal
    let clients = ClientQuery(
      after: page.after, prefix: query[.prefix] ?? "", limit: page.limit,
      ranges: principal?.listedClients.map(NameRange.init) ?? [.all]
    ) { client in principal?.lists(client.text) ?? true }
    service.clients(clients) { result in
      scope.reply(result) { page in
        .page("clients", page.clients, next: page.next, cache: "private, no-cache") {
          $0.member("client", $1.name.text)
          $0.member("collections", $1.collectionCount)
        }
      }
    }
  }

  /// `GET …/collections`: a client's collections by name.
  func index(_ client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page
    service.index(
      of: client, after: page.after, limit: page.limit, requestID: scope.requestID,
      versions: try scope.request.shownVersions
    ) { result in
      scope.reply(result) { page, hasMore in
        let next = hasMore ? page.last?.name : nil
        return .page("collections", page, next: next, cache: "private, no-cache") {
          $0.member("name", $1.name.text)
          $0.member("version", $1.version.description)
          $0.member("seq", $1.version.seq)
          $0.member("items", $1.itemCount)
          if let byteCount = $1.byteCount { $0.member("bytes", byteCount) }
        }
      }
    }
  }
}

extension NameRange {
  /// Where the names are that a credential has permission for.
  fileprivate init(_ bounds: NameBounds) {
    switch bounds {
    case .only(let name): self.init(only: name)
    case .prefix(let text): self.init(prefix: text)
    }
  }
}

extension ReadRequest {
  /// Whether the answer may be that of a view.
  var isViewed: Bool { form.view != nil || access.isRestricted }

  /// Whether the response may wait, for a new version or for a collection to be created.
  fileprivate var mayWait: Bool { since != nil || waitsForCollection }
}

extension ReadAnswer {
  /// A snapshot whose version has a mark.
  fileprivate func renewed(_ mark: VersionToken.Mark) -> ReadAnswer {
    guard case .snapshot(let version, let content, let reset) = self else { return self }
    return .snapshot(version.marked(mark), content: content, reset: reset)
  }

  /// Whether it is a delta or an initial snapshot, rather than a reset or an absence of changes.
  fileprivate var isDeltaOrInitial: Bool {
    switch self {
    case .delta: true
    case .snapshot(_, _, let reset): reset == nil
    case .unchanged, .deleted: false
    }
  }
}

extension Result<ReadAnswer, ServiceFailure> {
  /// Whether the reader begins anew because of another restriction.
  fileprivate var isViewChange: Bool {
    switch self {
    case .success(let answer): answer.isViewChange
    case .failure(let failure):
      if case .reset(let reset) = failure.error {
        reset.reason == .viewChanged && reset.since.lineage == failure.current?.lineage
      } else {
        false
      }
    }
  }
}
