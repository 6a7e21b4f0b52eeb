import Dispatch
import Synchronization
import VersionedCollections

/// Renews images, one at a time, while requests continue.
///
/// An image is written in parts while it is encoded, so that the new one is never in memory as a whole.
extension StoreMaintenance {
  private typealias Renewal = (id: Int64, imageRevision: Int, collection: StoredCollection)

  func note(_ changes: [(key: CollectionKey, seq: Int, byteCount: Int)]) {
    for (key, seq, byteCount) in changes {
      let isDue = state.withLock { $0.demand.note(key, seq: seq, byteCount: byteCount) }
      if isDue { queue.async { self.renewImage(of: key, ifDue: true) } }
    }
  }

  /// Renews the image of a collection.
  ///
  /// Call it only on the maintenance queue, which may block.
  func renewImage(of key: CollectionKey, ifDue: Bool) {
    guard !isStopped else { return }
    var failure: StoreError?
    do throws(StoreError) {
      if let renewal = try renewal(of: key, ifDue: ifDue) { try write(renewal, key) }
    } catch {
      failure = error
    }
    state.withLock { $0.demand.end(key, isRenewed: failure == nil) }
    guard let failure, !isStopped else { return }
    options.faults(
      Fault(
        .image, "its image was not renewed: \(failure.text)", client: key.client,
        collection: key.name))
  }

  private func renewal(of key: CollectionKey, ifDue: Bool) throws(StoreError) -> Renewal? {
    try read { tables in
      guard let found = try tables.collection(key.client, key.name),
        let (collection, revision) = try found.renewal(of: key, options.durable, ifDue: ifDue)
      else { return nil }
      return (found.id, revision, collection)
    }
  }

  private func write(_ renewal: Renewal, _ key: CollectionKey) throws(StoreError) {
    let set = partSets.begin()
    defer {
      partSets.end([set])
      // The parts of the previous image or of the failed one are garbage.
      noteGarbage()
      clearGarbage()
    }
    let row = try writeParts(of: renewal.collection, set)
    let (id, revision, collection) = renewal
    let (lineage, oldest) = (collection.lineage, collection.oldestWithContents)
    try perform(byteCount: row.bytes.count, isImage: true) { tables in
      // Do not replace an image that a write has stored in the meantime.
      guard let found = try tables.collection(key.client, key.name), found.id == id,
        found.lineage == lineage, try found.hasImage(revision)
      else { return }
      try tables.put(image: row, of: id, oldest: oldest)
    }
  }

  /// Writes the parts of an image between groups of writes, while it is encoded.
  ///
  /// - Returns: The row that refers to them, or has the bytes if they are not more than a part.
  private func writeParts(
    of collection: StoredCollection, _ set: Int64
  ) throws(StoreError) -> StoredRow {
    var row = StoredRow(version: collection.version, itemCount: collection.itemCount)
    var partCount = 0
    var failure: StoreError?
    collection.writeImage(pieceBytes: options.partBytesMax) { piece, isLast in
      guard failure == nil else { return }
      if isLast, partCount == 0 {
        row.bytes = piece
        return
      }
      row.partSet = set
      do throws(StoreError) {
        try self.perform(byteCount: piece.count, isImage: true) { [partCount] tables in
          try tables.put(part: piece[...], partCount, of: set)
        }
      } catch {
        failure = error
      }
      partCount += 1
    }
    if let failure { throw failure }
    return row
  }
}
