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

  /// Asks for the ids of a version that is kept; the answer's content is encoded as a structure.
  public func structure(
    of key: CollectionKey, at version: VersionToken, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void
  ) {
    withCollection(key, requestID, isLong: true, reply) { $0.structure($1, version) }
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
    withCollection(key, requestID, isLong: true, reply) {
      $0.delta(
        $1, of: key.client, from: from, to: to, form, wantsSnapshot: wantsSnapshot,
        requestID: requestID)
    }
  }
}
