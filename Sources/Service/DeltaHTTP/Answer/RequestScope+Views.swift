import Authentication
import CollectionService
import HTTP1
import VersionedCollections

extension RequestScope {
  /// What the request's sender may see of a collection that it may read.
  ///
  /// - Throws: `insufficient-scope` if what is imposed on the sender is not understood, or if several grants impose
  ///   different views; the cause is logged.
  func access(_ key: CollectionKey) throws(Problem) -> ReadAccess {
    if refusal != nil { return .ifPublic }
    guard let principal = authorization?.principal else { return .everything }
    return try access(of: principal, key)
  }

  private func access(
    of principal: Principal, _ key: CollectionKey
  ) throws(Problem) -> ReadAccess {
    var found: ViewRestriction?
    do throws(ViewError) {
      for imposed in principal.imposedViews(client: key.client.text, name: key.name.text) {
        let restriction = try imposed.restriction()
        guard found == nil || found == restriction else {
          throw ViewError(detail: "several grants impose views that differ")
        }
        found = restriction
      }
    } catch {
      report(
        Fault(
          .view, "an imposed view is refused: \(error)", client: key.client, collection: key.name,
          requestID: requestID))
      throw Problem(Refusal.insufficientScope)
    }
    return found.map { .restricted($0) } ?? .everything
  }

  /// The problem of a request that failed: one that only what is public was served to is refused as if nothing had
  /// been asked.
  func problem(_ failure: ServiceFailure) -> Problem {
    if case .notPublic = failure.error, let refusal { return Problem(refusal) }
    var problem = Problem(failure)
    if case .reset(let reset) = failure.error, let mark = reset.renewal,
      let key = subject.route?.collection
    {
      problem.next = request.renewedTarget(key, mark)
    }
    return problem
  }

  /// The collections of a sync, with what the request's sender may see of each.
  ///
  /// - Throws: `insufficient-scope` for the first collection that it may not read, whether or not that exists.
  mutating func entries(
    _ named: [NamedCollection], of client: ResourceName
  ) throws(Problem) -> [SyncRequest.Entry] {
    try require(.read, named.map(\.name), of: client)
    var entries: [SyncRequest.Entry] = []
    for collection in named {
      let key = CollectionKey(client: client, name: collection.name)
      var entry = SyncRequest.Entry(
        try access(key), name: collection.name, since: collection.since)
      entry.view = collection.view
      entries.append(entry)
    }
    return entries
  }

  /// The collections of a sync, with what the request's sender may see of each by now.
  func renewed(
    _ entries: [SyncRequest.Entry], of client: ResourceName
  ) throws(Problem) -> [SyncRequest.Entry] {
    var entries = entries
    for index in entries.indices {
      let key = CollectionKey(client: client, name: entries[index].name)
      entries[index].access = try access(key)
    }
    return entries
  }

  /// Whether the request's sender may read all of a collection.
  func readsAll(of key: CollectionKey) -> Bool {
    guard let principal = authorization?.principal else { return true }
    let (client, name) = (key.client.text, key.name.text)
    return principal.meets(.collection(.read, client: client, name: name))
      && principal.imposedViews(client: client, name: name).isEmpty
  }
}

extension HTTPRequest {
  /// The address of the snapshot that a delta's reader begins anew with: with its view and dialect, and a mark.
  fileprivate func renewedTarget(_ key: CollectionKey, _ mark: VersionToken.Mark) -> String {
    let kept = ["dialect", "headers", "maxage", "order", "sections", "select", "where", "window"]
    let parameters = (query ?? []).split(separator: UInt8(ascii: "&"))
      .map { String(decoding: $0, as: UTF8.self) }
      .filter { kept.contains(String($0.prefix { $0 != "=" })) }
    return "/v1/clients/\(key.client.text)/collections/\(key.name.text)?"
      + (parameters + ["mark=\(mark)"]).joined(separator: "&")
  }
}
