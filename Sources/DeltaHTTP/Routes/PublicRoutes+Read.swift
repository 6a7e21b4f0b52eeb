import Authentication
import CollectionService
import HTTP1
import VersionedCollections

extension PublicRoutes {
  /// `GET` of a collection: its snapshot.
  func snapshot(
    _ key: CollectionKey, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    let representation = try Representation(scope.request, query)
    var request = ReadRequest(since: nil, form: representation.form(scope.codings))
    request.requestID = scope.requestID
    request.stages = scope.stages
    request.versions = try scope.request.shownVersions
    service.read(key, request) { result, head in
      switch result {
      case .failure(let failure): scope.reply(Problem(failure))
      case .success(let answer):
        var scope = scope
        let isSeen = EntityTag.isSeen(scope.request, answer)
        guard scope.mayLoad(isSeen ? 0 : 1) else { return }
        scope.note(AnswerMark(answer, representation.dialect))
        var response = HTTPResponse.answer(
          answer, name: key.name, representation, scope.codings, isTagged: true)
        response.appendField("Cache-Control", "private, no-cache")
        scope.reply(isSeen ? response.notModified : response, of: head)
      }
    }
  }

  /// `GET …/delta?since=T`: the changes since a version.
  func delta(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    let text = query[.since] ?? ""
    let since = VersionToken(text)
    guard text.isEmpty || since != nil else { throw .badToken("since") }
    let wait = try query.number(.wait).map { min(max($0, 0), service.limits.waitSecondsMax) }
    var request = ReadRequest(
      since: since, form: representation.form(scope.codings), waitSeconds: wait ?? 0,
      waitsForCollection: try query.waitsForMissing,
      isStrict: Preferences(scope.request).isStrict)
    request.wantsSnapshot = representation.dialect == .snapshot
    request.versions = try scope.request.shownVersions
    var scope = scope
    if (wait ?? 0) > 0 { try scope.takePlaceToWait() }
    if request.mayWait { scope.subject.parked = ParkedTime() }
    request.parkedTime = scope.subject.parked
    request.requestID = scope.requestID
    request.stages = scope.stages
    let ticket = service.read(key, request) { [scope] result, head in
      scope.ifAuthorized(waitSeconds: wait ?? 0) {
        var scope = scope
        guard scope.mayLoad(result.snapshotCount) else { return }
        var response =
          switch result {
          case .success(let answer):
            HTTPResponse.answer(answer, name: key.name, representation, scope.codings)
          case .failure(let failure): Problem(failure).naming(scope.requestID).response
          }
        var isRepeated = false
        if case .success(let answer) = result {
          scope.note(AnswerMark(answer, representation.dialect))
          let isAtOnce = (wait ?? 0) == 0
          let isPlain = answer.isDeltaOrInitial && isAtOnce
          response.setField("Cache-Control", isPlain ? "private, no-cache" : "no-store")
          isRepeated = isAtOnce && !answer.isReset
        }
        if let wait { response.setField("Collection-Wait", wait) }
        scope.reply(response, of: isRepeated ? head : nil)
      }
    }
    if request.mayWait { scope.endWaitOnHangup(ticket) }
  }

  /// `GET /v1/clients`: the clients that have collections, by name.
  func clients(_ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page(limits)
    let principal = scope.authorization?.principal
    let clients = ClientQuery(
      after: page.after, prefix: query[.prefix] ?? "", limit: page.limit,
      ranges: principal?.listedClients.map(NameRange.init) ?? [.all]
    ) { client in principal?.lists(client.text) ?? true }
    service.clients(clients) { result in scope.reply(result) { .clients($0) } }
  }

  /// `GET …/collections`: a client's collections by name.
  func index(_ client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page(limits)
    service.index(
      of: client, after: page.after, limit: page.limit, requestID: scope.requestID,
      versions: try scope.request.shownVersions
    ) { result in
      scope.reply(result) { page, hasMore in .index(page, hasMore: hasMore) }
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
  /// Whether the response may wait, for a new version or for a collection to be created.
  fileprivate var mayWait: Bool { since != nil || waitsForCollection }
}

extension Result<ReadAnswer, ServiceFailure> {
  /// The number of snapshots in it, as shares count them.
  var snapshotCount: Int { if case .success(.snapshot) = self { 1 } else { 0 } }

  /// Whether a request shows the entity tag of its state.
  func isSeen(by request: HTTPRequest) -> Bool {
    guard case .success(let answer) = self else { return false }
    return EntityTag.isSeen(request, answer)
  }
}

extension ReadAnswer {
  /// The version that the response is about.
  var version: VersionToken {
    switch self {
    case .snapshot(let version, _, _), .delta(let version, _), .unchanged(let version),
      .deleted(let version):
      version
    }
  }

  /// The hash of the settings in it; see ``EncodedText/settingsHash``.
  var settingsHash: UInt64? {
    if case .snapshot(_, let content, _) = self { content.settingsHash } else { nil }
  }

  /// Whether it is a delta, in the requested dialect.
  var isDelta: Bool {
    if case .delta = self { true } else { false }
  }

  /// Whether it is a reset, a snapshot in place of a delta; each reset is counted.
  fileprivate var isReset: Bool {
    if case .snapshot(_, _, _?) = self { true } else { false }
  }

  /// Whether it is a delta or an initial snapshot, rather than a reset or an absence of changes.
  var isDeltaOrInitial: Bool {
    switch self {
    case .delta: true
    case .snapshot(_, _, let reset): reset == nil
    case .unchanged, .deleted: false
    }
  }
}

extension Precondition.Versions {
  /// Whether a version matches the condition.
  func matches(_ version: VersionToken) -> Bool { matches(version.description) }

  /// Whether an entity tag matches the condition, regardless of content coding.
  func matches(_ tag: String) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let tags): tags.contains(tag)
    }
  }
}
