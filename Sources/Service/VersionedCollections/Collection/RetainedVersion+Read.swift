import SnapshotJSON

extension RetainedVersion {
  /// The input for encoding the version; nil if not all of its contents are available.
  func material(animations: [UInt8]? = nil) -> SnapshotEncodingInput? {
    let sections = sections
    guard let contents, contents.itemCount == sections.itemCount,
      (0..<contents.itemCount).allSatisfy({ !contents.item(at: $0).isEmpty }),
      sections.indices.allSatisfy({ !contents.header(ofSection: $0).isEmpty }),
      record.meta == nil || contents.meta != nil
    else { return nil }
    return SnapshotEncodingInput(
      sections: sections, ids: collection.ids, contents: contents,
      animations: animations, idPath: collection.settings.idPath)
  }
}
