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
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with a snapshot, or `contentGone` if some of its contents are not retained.
  public func snapshot(
    of key: CollectionKey, at version: VersionToken, form: AnswerForm, requestID: RequestID? = nil,
    reply: @escaping ServiceReply<ReadAnswer>
  ) {
    withVersions([version], of: key, form, requestID, reply) { $0.snapshot($1, form) }
  }

  /// Computes the delta between two retained versions, in either direction.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - from: The version that the delta starts from.
  ///   - to: The version that the delta leads to.
  ///   - form: The form of the answer.
  ///   - wantsSnapshot: Whether to return all of `to` instead.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the answer; a snapshot also if the simulator rejects the delta.
  public func delta(
    of key: CollectionKey, from: VersionToken, to: VersionToken, form: AnswerForm,
    wantsSnapshot: Bool = false, requestID: RequestID? = nil,
    reply: @escaping ServiceReply<ReadAnswer>
  ) {
    withVersions([from, to], of: key, form, requestID, reply) { maker, target in
      wantsSnapshot
        ? maker.snapshot(target, form)
        : maker.delta(from: from, to: target, of: key.client, form, requestID: requestID)
    }
  }

  /// Answers a request about retained versions once the contents of the last one are loaded.
  ///
  /// Besides the heads, and what views remember, at most one older version is in memory at a time.
  private func withVersions(
    _ versions: [VersionToken], of key: CollectionKey, _ form: AnswerForm, _ requestID: RequestID?,
    _ reply: @escaping ServiceReply<ReadAnswer>,
    _ answer:
      @escaping @Sendable (AnswerMaker, RetainedVersion) -> Result<ReadAnswer, ServiceFailure>
  ) {
    let shard = shard(of: key.client)
    withCollection(key, requestID, versions: versions) { result in
      let found = result.flatMap { collection in
        collection.records(of: versions).map { $0.map { RetainedVersion(collection, $0) } }
      }
      switch found {
      case .failure(let failure): reply(.failure(failure))
      case .success(let found):
        let target = found[found.count - 1]
        let viewed = form.view == nil ? [] : found.filter { !$0.isHead }
        shard.readForViews(viewed[...], of: key.client) { read in
          shard.withContents(of: target, key.client, requestID) { maker, result, end in
            var maker = maker
            maker.read = read
            reply(result.flatMap { answer(maker, $0) })
            end()
          }
        }
      }
    }
  }
}
