public import VersionedCollections

extension DeltaService {
  /// Lists a collection's retained versions, oldest first; `seen` are those that the caller has seen.
  public func versions(
    of key: CollectionKey, requestID: RequestID? = nil, seen: [VersionToken] = [],
    reply: @escaping ServiceReply<[VersionSummary]>
  ) {
    withCollection(key, requestID, versions: seen) { reply($0.map(\.versions)) }
  }

  /// Reads a retained version in full.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - version: The version.
  ///   - form: The form of the answer.
  ///   - access: What the reader may see of the collection.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with a snapshot, or `contentGone` if some of its contents are not retained.
  package func snapshot(
    of key: CollectionKey, at version: VersionToken, form: AnswerForm,
    access: ReadAccess = .granted, requestID: RequestID? = nil, reply: @escaping ReadReply
  ) {
    withVersions([version], of: key, form, access, requestID, reply) { $0.snapshot($1, $2) }
  }

  /// Computes the delta between two retained versions, in either direction.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - from: The version that the delta starts from.
  ///   - to: The version that the delta leads to.
  ///   - form: The form of the answer.
  ///   - access: What the reader may see of the collection.
  ///   - wantsSnapshot: Whether to return all of `to` instead.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the answer; a snapshot also if the simulator rejects the delta.
  package func delta(
    of key: CollectionKey, from: VersionToken, to: VersionToken, form: AnswerForm,
    access: ReadAccess = .granted, wantsSnapshot: Bool = false, requestID: RequestID? = nil,
    reply: @escaping ReadReply
  ) {
    withVersions([from, to], of: key, form, access, requestID, reply) { maker, target, form in
      wantsSnapshot
        ? maker.snapshot(target, form)
        : maker.delta(from: from, to: target, of: key.client, form, requestID: requestID)
    }
  }

  /// Answers a request about retained versions once the contents of the last one are loaded.
  ///
  /// Besides the heads, and what views remember, at most one older version is in memory at a time.
  private func withVersions(
    _ versions: [VersionToken], of key: CollectionKey, _ form: AnswerForm, _ access: ReadAccess,
    _ requestID: RequestID?, _ reply: @escaping ReadReply,
    _ answer:
      @escaping @Sendable (AnswerMaker, RetainedVersion, AnswerForm) ->
      Result<ReadAnswer, ServiceFailure>
  ) {
    let shard = shard(of: key.client)
    withReadable(key, access, requestID, versions: versions) { result in
      var (form, ages) = (form, PublicAges?.none)
      let found = result.flatMap { collection in
        ages = collection.settings.publicAges
        if ages == nil, case .restricted(let view) = access { form.view = view }
        return collection.records(of: versions).map { $0.map { RetainedVersion(collection, $0) } }
      }
      switch found {
      case .failure(let failure): reply(.failure(failure), AnswerSource())
      case .success(let found):
        let (form, ages) = (form, ages)
        let target = found[found.count - 1]
        let viewed = form.view == nil ? [] : found.filter { !$0.isHead }
        shard.readForViews(viewed[...], of: key.client) { read in
          shard.withContents(of: target, key.client, requestID) { maker, result, end in
            var maker = maker
            maker.read = read
            reply(result.flatMap { answer(maker, $0, form) }, AnswerSource(ages: ages))
            end()
          }
        }
      }
    }
  }

  /// Passes on the state of a collection that a reader may read; nothing private is loaded for others.
  private func withReadable(
    _ key: CollectionKey, _ access: ReadAccess, _ requestID: RequestID?, versions: [VersionToken],
    _ work: @escaping ServiceReply<CollectionState>
  ) {
    guard case .ifPublic = access else {
      return withCollection(key, requestID, versions: versions, work)
    }
    let refusal = ServiceFailure(.notPublic, current: nil)
    let audience = Reply<Bool?> { isPublic in
      guard isPublic != false else { return work(.failure(refusal)) }
      self.withCollection(key, requestID, versions: versions) { result in
        work(result.flatMap { $0.settings.isPublic ? .success($0) : .failure(refusal) })
      }
    }
    let query = Query(
      client: key.client, requirements: Requirements(requestID: requestID),
      kind: .audience(key.name, audience))
    shard(of: key.client).handle(.query(query))
  }
}
