package import VersionedCollections

extension DeltaService {
  /// Lists a collection's retained versions, oldest first; `seen` are those that the caller has seen.
  package func versions(
    of key: CollectionKey, _ access: ReadAccess, requestID: RequestID? = nil,
    seen: [VersionToken] = [], reply: @escaping ServiceReply<[VersionSummary]>
  ) {
    withVisible(key, access, requestID, versions: seen) { reply($0.map(\.summaries)) }
  }

  /// Reads a retained version in full.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - version: The version.
  ///   - request: What the reader may see, and the form of the answer.
  ///   - reply: Called with a snapshot, or `contentGone` if some of its contents are not retained.
  package func snapshot(
    of key: CollectionKey, at version: VersionToken, _ request: ReadRequest,
    reply: @escaping ReadReply
  ) {
    withVersions([version], of: key, request, reply) {
      (maker, target, collection) throws(WorkStop) in
      try maker.snapshot(target, of: collection, request)
    }
  }

  /// Computes the delta between two retained versions, in either direction.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - from: The version that the delta starts from.
  ///   - to: The version that the delta leads to.
  ///   - request: What the reader may see, and the form of the answer; if it wants a snapshot, that is all of `to`.
  ///   - reply: Called with the answer; a snapshot also if the simulator rejects the delta.
  package func delta(
    of key: CollectionKey, from: VersionToken, to: VersionToken, _ request: ReadRequest,
    reply: @escaping ReadReply
  ) {
    withVersions([from, to], of: key, request, reply) {
      (maker, target, collection) throws(WorkStop) in
      try request.wantsSnapshot
        ? maker.snapshot(target, of: collection, request)
        : maker.delta(from: from, to: target, of: collection, key.client, request)
    }
  }

  /// Answers a request about retained versions once the contents of the last one are loaded.
  ///
  /// Besides the heads, and what views remember, at most one older version is in memory at a time.
  private func withVersions(
    _ versions: [VersionToken], of key: CollectionKey, _ request: ReadRequest,
    _ reply: @escaping ReadReply,
    _ answer:
      @escaping @Sendable (AnswerMaker, RetainedVersion, VisibleCollection) throws(WorkStop) ->
      Result<ReadAnswer, ServiceFailure>
  ) {
    let shard = shard(of: key.client)
    withVisible(key, request.access, request.requestID, versions: versions) { result in
      typealias Found = Result<(VisibleCollection, [VersionRecord]), ServiceFailure>
      let found = result.flatMap { collection -> Found in
        // What was hidden from the reader later would stay readable.
        if collection.restriction != nil { return .failure(collection.failure(.notInView)) }
        return collection.records(of: versions).map { (collection, $0) }
      }
      switch found {
      case .failure(let failure): reply(.failure(failure), AnswerSource())
      case .success((let collection, let records)):
        let found = records.map { RetainedVersion(collection.state, $0) }
        let target = found[found.count - 1]
        let view = request.form.view?.view
        let viewed = view == nil ? [] : found.filter { !$0.isHead }
        var order = AnswerOrder(
          asker: .init(client: key.client, reader: request.interest?.asker ?? ""))
        if let view {
          order.interest = request.interest
          order.topics = [.init(collection: key, view: view)]
          order.limit = .milliseconds(self.limits.viewMillisecondsMax)
        }
        shard.readForViews(viewed[...], of: key.client) { [order] read in
          let target = read.first { $0.token == target.token } ?? target
          shard.withContents(
            of: target, key.client, request.requestID, for: order
          ) { maker, result, end in
            var maker = maker
            maker.read = read
            let answer: Result<ReadAnswer, ServiceFailure>? =
              switch result {
              case .failure(let failure): .failure(failure)
              case .success(let version):
                maker.result(of: view, key) { () throws(WorkStop) in
                  try answer(maker, version, collection)
                }
              }
            let source = AnswerSource(ages: collection.state.publicAges(from: versions))
            if let answer { reply(answer, source) }
            end()
          }
        }
      }
    }
  }

  /// Finds out whether anybody may read a collection; nothing private is loaded for that.
  package func isPublic(
    _ key: CollectionKey, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Bool) -> Void
  ) {
    withVisible(key, .ifPublic, requestID, versions: []) { result in
      if case .success = result { reply(true) } else { reply(false) }
    }
  }

  /// Passes on a collection as a reader sees it; nothing private is loaded for a stranger.
  func withVisible(
    _ key: CollectionKey, _ access: ReadAccess, _ requestID: RequestID?, versions: [VersionToken],
    _ work: @escaping ServiceReply<VisibleCollection>
  ) {
    let faults = shard(of: key.client).context.faults
    let read: @Sendable () -> Void = {
      self.withCollection(key, requestID, versions: versions) { result in
        do throws(ServiceError) {
          work(.success(try VisibleCollection(try result.mapError(\.error).get(), access)))
        } catch {
          if case .viewNotPermitted(let cause) = error {
            faults(
              Fault(.view, cause, client: key.client, collection: key.name, requestID: requestID))
          }
          // A restricted reader knows versions by other tokens.
          var failure = ServiceFailure(error, current: nil)
          if case .failure(let known) = result, access == .everything { failure = known }
          work(.failure(failure))
        }
      }
    }
    guard access == .ifPublic else { return read() }
    let audience = Reply<Bool?> { isPublic in
      guard isPublic != false else {
        return work(.failure(ServiceFailure(.notPublic, current: nil)))
      }
      read()
    }
    let query = Query(
      client: key.client, requirements: Requirements(requestID: requestID),
      kind: .audience(key.name, audience))
    shard(of: key.client).handle(.query(query))
  }
}
