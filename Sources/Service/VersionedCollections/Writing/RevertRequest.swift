package import SnapshotJSON

extension VersionToken {
  /// The largest body in bytes; it only names a version.
  private static let revertBytesMax = 64 << 10

  /// Parses the body of a revert, `{"to":VERSION}`.
  ///
  /// - Throws: `badJSON`, `badSnapshot` for another structure, `badToken` for an invalid version,
  ///   or `limitPassed`.
  package init(ofRevert body: [UInt8], _ reader: JSONReader) throws(ServiceError) {
    guard body.count <= Self.revertBytesMax else {
      throw .limitPassed(
        PassedLimit(
          .bytes, "", "a revert only names a version", limit: Self.revertBytesMax))
    }
    let root = try reader.document(body)
    let version = try ServiceError.checking { () throws(SnapshotError) in
      let form = "a revert is sent as {\"to\":VERSION}"
      guard let version = try root.object(of: ["to"], at: "", form)["to"] else {
        throw SnapshotError(.badSnapshot, "", form)
      }
      return version
    }
    guard let token = version.string.flatMap({ VersionToken($0) }) else {
      throw .badToken(pointer: "/to")
    }
    self = token.unrenewed
  }
}

extension CollectionState {
  /// Creates the candidate of a retained version, as if its snapshot were sent again.
  ///
  /// - Throws: `versionGone`, `unknownVersion` or `contentGone` if it is not available,
  ///   `limitPassed` if it is too large to be parsed as one document.
  package mutating func candidate(
    revertingTo version: RetainedVersion, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    let all = try VisibleCollection(self, .everything)
    if case .failure(let failure) = all.records(of: [version.token]) { throw failure.error }
    guard let material = version.material() else { throw all.contentGone.error }
    let limit = tools.limits.parsedBytesMax
    guard material.contents.contentByteCount <= limit else {
      throw .limitPassed(
        PassedLimit(.bytes, "", "a revert is to versions of at most \(limit) bytes", limit: limit))
    }
    let plain = SnapshotEncodingInput(
      sections: material.sections, ids: material.ids, contents: material.contents)
    let text = SnapshotText.head(version.token, name) + SnapshotText.content(plain)
    if settings.hasPlainLayout,
      var known = ParsedSnapshot.read(text, tools.reader, tools.limits, beside: self)
    {
      known.isSent = false
      return try candidate(known, tools)
    }
    return try candidate(remade: text, by: settings, tools)
  }
}
