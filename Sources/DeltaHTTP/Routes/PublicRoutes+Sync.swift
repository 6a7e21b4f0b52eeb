import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `POST …/sync`: the changes of several collections as of one moment.
  func sync(_ client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    let shown = try scope.request.shownVersions
    service.parse(scope.request.body) { result in
      do throws(Problem) {
        let parameters = try SyncParameters(result, limits: service.limits)
        var scope = scope.withoutBody()
        try scope.require(.read, parameters.entries.map(\.name), of: client)
        if (parameters.wait ?? 0) > 0 { try scope.takePlaceToWait() }
        answer(client, parameters, shown, representation, scope)
      } catch {
        scope.reply(error)
      }
    }
  }

  private func answer(
    _ client: ResourceName, _ parameters: SyncParameters, _ shown: [VersionToken],
    _ representation: Representation, _ scope: RequestScope
  ) {
    var scope = scope
    scope.subject.parked = ParkedTime()
    var request = SyncRequest(
      entries: parameters.entries, form: representation.form(scope.codings),
      wantsSnapshot: representation.dialect == .snapshot)
    request.parkedTime = scope.subject.parked
    request.versions = shown
    request.requestID = scope.requestID
    request.stages = scope.stages
    let ticket = service.sync(client, request, waitSeconds: parameters.wait ?? 0) {
      [scope] result in
      scope.ifAuthorized(waitSeconds: parameters.wait ?? 0) {
        var scope = scope
        if case .success(let answer) = result {
          guard scope.mayLoad(answer.snapshotCount) else { return }
          scope.count(answer, representation.dialect)
        }
        scope.reply(result) { answer in
          var response = HTTPResponse.pieces(
            ResponseText.sync(answer), representation.mediaType(isDelta: false), scope.codings,
            deltasAs: representation)
          response.appendField("Cache-Control", "no-store")
          if let wait = parameters.wait { response.setField("Collection-Wait", wait) }
          return response
        }
      }
    }
    scope.endWaitOnHangup(ticket)
  }

  /// `GET …/sync?collections=inbox:T1,cart:T2`: the same as a stream of events.
  func syncStream(
    _ client: ResourceName, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    guard scope.request.acceptsEvents else { throw .syncIsEvents }
    let last = scope.lastEventID
    var entries = try SyncParameters.entries(query[.collections] ?? "", limits: service.limits)
    var scope = scope
    try scope.require(.read, entries.map(\.name), of: client)
    if let last, !last.isEmpty {
      let held: [SyncRequest.Entry]
      do throws(Problem) {
        held = try SyncParameters.entries(last, limits: service.limits)
      } catch {
        return tell(.badToken("Last-Event-ID"), scope)
      }
      for index in entries.indices {
        entries[index].since = held.first { $0.name == entries[index].name }?.since
      }
    }
    try follow(client, entries, .none, scope, query) { [resume = scope.authorization?.resume] in
      EventText.sync($0, held: $0.held, resume: resume)
    }
  }
}

/// The parameters of a sync: the collections, and how long to wait.
private struct SyncParameters {
  var entries: [SyncRequest.Entry] = []
  /// The seconds to wait, clamped; `nil` if not given.
  var wait: Int?

  /// Parses `{"collections":{"inbox":T,"cart":null},"wait":25}`.
  init(
    _ result: Result<JSONDocument, ServiceError>, limits: ServiceLimits
  ) throws(Problem) {
    let root: JSONValue
    do throws(ServiceError) {
      root = try result.get().root
    } catch {
      throw Problem(error)
    }
    guard root.kind == .object, let collections = root["collections"],
      collections.kind == .object
    else {
      throw .badParameter("what to sync is sent as {\"collections\":{\"inbox\":T,\"cart\":null}}")
    }
    if let unknown = root.unknownMember(besides: ["collections", "wait"]) {
      throw .unknownMember(unknown)
    }
    for member in collections.members {
      guard let name = ResourceName(member.key) else { throw .badIdentifier }
      let since = member.value.string.flatMap { VersionToken($0) }
      guard since != nil || member.value.isNull || member.value.string == "" else {
        throw .badToken("/collections/" + member.key)
      }
      entries.append(SyncRequest.Entry(name: name, since: since))
    }
    try Self.check(entries, limits)
    if let value = root["wait"] {
      guard let seconds = value.int else { throw .badParameter("wait is a whole number") }
      wait = min(max(seconds, 0), limits.waitSecondsMax)
    }
  }

  /// Parses `inbox:T1,cart:T2`; a name alone, or with nothing after the colon, has no version.
  ///
  /// A name with a dot after a colon must be followed by a colon.
  static func entries(
    _ text: String, limits: ServiceLimits
  ) throws(Problem) -> [SyncRequest.Entry] {
    var entries: [SyncRequest.Entry] = []
    for part in text.split(separator: ",") {
      // A name may contain a colon, a token may not.
      let colon = part.lastIndex(of: ":")
      let token = colon.map { part[part.index(after: $0)...] } ?? ""
      let since = VersionToken(String(token))
      // A dot after the last colon indicates an intended token.
      if since == nil, token.contains(".") { throw .badToken("/collections") }
      let hasToken = since != nil || (colon != nil && token.isEmpty)
      guard let name = ResourceName(String(hasToken ? part[..<(colon ?? part.endIndex)] : part))
      else { throw .badIdentifier }
      entries.append(SyncRequest.Entry(name: name, since: since))
    }
    try check(entries, limits)
    return entries
  }

  private static func check(
    _ entries: [SyncRequest.Entry], _ limits: ServiceLimits
  ) throws(Problem) {
    guard !entries.isEmpty else { throw .badParameter("collections names at least one") }
    guard Set(entries.map(\.name)).count == entries.count else {
      throw .badParameter("collections names each once")
    }
    guard entries.count <= limits.collectionsPerClientMax else {
      throw .syncTooLarge(entries.count, limit: limits.collectionsPerClientMax)
    }
  }
}
