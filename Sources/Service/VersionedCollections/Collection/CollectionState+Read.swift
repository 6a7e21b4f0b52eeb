package enum VersionRelation {
  /// The reader has no version.
  case initial
  /// The version is the head.
  case current
  /// The version is retained.
  case behind(VersionRecord, VersionToken)
  /// The version is older than the retained ones.
  case compacted(VersionToken)
  /// The version is newer than the head; the reader is ahead of this process, or history was lost.
  case ahead(VersionToken)
  /// The number is that of a version of this collection, but the digest differs.
  case diverged(VersionToken)
  case otherLineage(VersionToken)
  /// The version was given under another restriction than the reader has.
  case otherView(VersionToken)
}

extension CollectionState {
  /// Relates a version to the head, under whatever restriction its token was given.
  ///
  /// - Parameters:
  ///   - since: The version; nil for none.
  ///   - first: The number of the first version that the reader may read.
  /// - Returns: The relation; a version before the first counts as one that is not retained.
  package func relation(of since: VersionToken?, first: Int = 0) -> VersionRelation {
    guard let since else { return .initial }
    guard since.lineage == lineage.name else { return .otherLineage(since) }
    if since.seq < first { return .compacted(since) }
    if since.seq > history.head.seq { return .ahead(since) }
    guard let record = history[since.seq] else { return .compacted(since) }
    guard isWritten(record, since) else { return .diverged(since) }
    return record.seq == history.head.seq ? .current : .behind(record, since)
  }

  /// The plain token of the version that a token names, under whatever restriction it was given; itself if none is named.
  package func plain(_ token: VersionToken) -> VersionToken {
    guard token.restrictionMark != nil else { return token }
    return switch relation(of: token) {
    case .current: self.token
    case .behind(let record, _): self.token(of: record)
    default: token
    }
  }

  /// Whether a token is that of a version with its number.
  private func isWritten(_ record: VersionRecord, _ token: VersionToken) -> Bool {
    guard let mark = token.restrictionMark else { return record.digest.isWritten(token.digest) }
    return lineage.token(self.token(of: record), mark).digest == token.digest
  }
}
