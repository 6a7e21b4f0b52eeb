/// A version that is kept.
public struct VersionSummary: Hashable, Sendable {
  /// The version.
  public var version: VersionToken
  /// When it was made, in seconds since 1970.
  public var date: Int64
}

extension DeltaService {
  /// Lists the versions of a collection that are kept, oldest first.
  public func versions(
    of key: CollectionKey, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<[VersionSummary], ServiceFailure>) -> Void
  ) {
    withCollection(key, requestID, isLong: false, reply) { _, collection in
      .success(collection.versions)
    }
  }

  /// Asks for a version that is kept, whole.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - version: The version.
  ///   - form: In which form to answer.
  ///   - requestID: What the log calls the request.
  ///   - reply: Gets a snapshot; `contentGone` when not all of its contents are kept.
  public func snapshot(
    of key: CollectionKey, at version: VersionToken, form: AnswerForm,
    requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void
  ) {
    withVersions([version], of: key, requestID, reply) { $0.snapshot($1, form) }
  }

  /// Asks for the delta between two versions that are kept, in either direction.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - from: The version that the delta starts from.
  ///   - to: The version that it ends at.
  ///   - form: In which form to answer.
  ///   - wantsSnapshot: Whether to get all of `to` instead.
  ///   - requestID: What the log calls the request.
  ///   - reply: Gets the answer; a snapshot also where the simulator refuses the delta.
  public func delta(
    of key: CollectionKey, from: VersionToken, to: VersionToken, form: AnswerForm,
    wantsSnapshot: Bool = false, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void
  ) {
    withVersions([from, to], of: key, requestID, reply) { maker, target in
      wantsSnapshot
        ? maker.snapshot(target, form)
        : maker.delta(from: from, to: target, of: key.client, form, requestID: requestID)
    }
  }

  /// Answers something about versions that are kept, once the contents of the last one are in memory.
  ///
  /// Only one old version is in memory at a time, beside those that are heads.
  private func withVersions(
    _ versions: [VersionToken], of key: CollectionKey, _ requestID: RequestID?,
    _ reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void,
    _ answer:
      @escaping @Sendable (AnswerMaker, RetainedVersion) -> Result<ReadAnswer, ServiceFailure>
  ) {
    let shard = shard(of: key.client)
    @Sendable func take(_ found: Result<RetainedVersion, ServiceFailure>) {
      switch found {
      case .failure(let failure): reply(.failure(failure))
      case .success(let target):
        shard.withContents(of: target, key.client, requestID) { maker, result, end in
          reply(result.flatMap { answer(maker, $0) })
          end()
        }
      }
    }
    withCollection(key, requestID, isLong: false, take) { _, collection in
      collection.records(of: versions).map { RetainedVersion(collection, $0[$0.count - 1]) }
    }
  }
}
