package import SnapshotJSON

/// What the credential of a request allows to see of a collection.
package enum ReadAccess: Hashable, Sendable {
  /// Everything.
  case everything
  /// Everything if anybody may read the collection; otherwise nothing, not even whether it exists.
  case ifPublic
  /// Everything if anybody may read the collection; otherwise what a restriction leaves.
  case restricted(ViewRestriction)

  package var isRestricted: Bool { if case .restricted = self { true } else { false } }

  /// What a reader sees of a collection with some settings.
  ///
  /// - Returns: The restriction; nil if it sees everything.
  /// - Throws: `notPublic`; `viewNotPermitted` if the restriction cannot be imposed on the collection.
  package func restriction(
    _ settings: CollectionSettings
  ) throws(ServiceError) -> ViewRestriction? {
    switch self {
    case .everything: return nil
    case _ where settings.isPublic: return nil
    case .ifPublic: throw .notPublic
    case .restricted(let restriction):
      if let term = restriction.conflict(with: settings) {
        throw .viewNotPermitted(
          "the imposed where=\(term.canonical) tests a member that equality.ignore leaves out")
      }
      return restriction
    }
  }
}

/// A collection as a reader sees it.
///
/// Answers are only made of this: its tokens have the mark of the reader's restriction, and its views obey it.
package struct VisibleCollection: Sendable {
  package let state: CollectionState
  /// What the reader is restricted to; nil if it sees everything.
  package let restriction: ViewRestriction?
  /// The mark of the reader's tokens; nil without a restriction.
  private let mark: VersionToken.Mark?
  /// The number of the first version that the reader may read: for all who may not read everything by a credential, the
  /// head that the collection had when it last became public.
  private let first: Int

  /// Creates the collection as a reader sees it.
  ///
  /// - Throws: `notPublic`; `viewNotPermitted` if the restriction cannot be imposed on the collection.
  package init(_ state: CollectionState, _ access: ReadAccess) throws(ServiceError) {
    self.state = state
    restriction = try access.restriction(state.settings)
    mark = restriction.map { state.lineage.mark($0.canonicalText) }
    first = access == .everything ? 0 : state.settings.publicSince ?? 0
  }

  // MARK: Tokens

  package var token: VersionToken { token(of: state.record) }

  package func token(of record: VersionRecord) -> VersionToken { shown(state.token(of: record)) }

  /// The retained versions that the reader may read, oldest first.
  package var versions: [VersionRecord] { state.history.records.filter { $0.seq >= first } }

  /// The oldest retained version that the reader may read.
  package var oldestToken: VersionToken {
    let oldest = state.history.oldest
    return token(of: state.history[max(first, oldest.seq)] ?? oldest)
  }

  /// A version's token as the reader is sent it.
  package func shown(_ token: VersionToken) -> VersionToken {
    mark.map { state.lineage.token(token, $0) } ?? token
  }

  /// Relates a reader's version to the head.
  ///
  /// The mark is compared first: a token that was given under another restriction leads nowhere.
  package func relation(of since: VersionToken?) -> VersionRelation {
    if let since, since.restrictionMark != mark { return .otherView(since) }
    return state.relation(of: since, first: first)
  }

  /// Returns the records of retained versions, or the error for one that is not retained.
  package func records(of versions: [VersionToken]) -> Result<[VersionRecord], ServiceFailure> {
    var records: [VersionRecord] = []
    for version in versions {
      switch relation(of: version) {
      case .current: records.append(state.history.head)
      case .behind(let record, _): records.append(record)
      case .compacted: return .failure(failure(.versionGone(oldest: oldestToken)))
      case .initial, .ahead, .diverged, .otherLineage, .otherView:
        return .failure(failure(.unknownVersion(version)))
      }
    }
    return .success(records)
  }

  /// The error for contents that are not retained.
  package var contentGone: ServiceFailure { failure(.contentGone(oldest: oldestToken)) }

  package func failure(_ error: ServiceError) -> ServiceFailure {
    ServiceFailure(error, current: token)
  }

  // MARK: Views

  /// The view that answers a reader's question: as the restriction leaves it; nil for all of the collection.
  package func query(_ asked: ViewQuery?) -> ViewQuery? {
    guard let restriction else { return asked }
    var query = asked ?? ViewQuery()
    query.view = query.view.restricted(by: restriction)
    return query
  }

  /// The form of an answer to the reader.
  package func form(_ asked: AnswerForm) -> AnswerForm {
    var form = asked
    form.view = query(asked.view)
    return form
  }

  /// Whether the reader sees something beside items.
  package func shows(_ extra: ViewRestriction.Extra) -> Bool {
    restriction?.extras.contains(extra) ?? true
  }

  /// Whether the head shows a reader the same as an older version, as far as that is known without reading items.
  ///
  /// If so, what is remembered of the view is carried on to the head.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items that changed, if all others are where they were.
  package func showsSame(
    _ asked: ViewQuery?, as record: VersionRecord, _ reader: JSONReader
  ) -> Bool {
    query(asked).map { state.showsSame($0, as: record, reader) } ?? false
  }
}
