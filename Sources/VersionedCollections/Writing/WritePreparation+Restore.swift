extension WritePreparation {
  /// Prepares a collection from an export, which keeps its version.
  ///
  /// The digest is computed from the content. If it is not that of the export, because another
  /// release made it or somebody changed the file, readers of that version find that it diverged
  /// and load the content anew.
  ///
  /// - Throws: `collectionExists` if the collection has another version that may not be replaced.
  func restore(
    _ source: ExportedCollection, _ parsed: ParsedSnapshot, _ base: Base
  ) throws(ServiceError) -> PreparedWrite {
    var base = base
    base.lineage = source.version.lineage
    let prepared = try create(source.name, parsed, base, from: source)
    if let head = base.head, head == prepared.receipt?.version {
      return PreparedWrite(source.name, .none, nil, WriteReceipt(unchanged: head))
    }
    guard base.head == nil || source.replaces else { throw .collectionExists }
    return prepared
  }
}
