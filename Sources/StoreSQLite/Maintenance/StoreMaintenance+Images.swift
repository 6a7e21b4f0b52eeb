import Dispatch
import GRDB
import Synchronization
import VersionedCollections

/// Renews images, one at a time, while requests continue.
///
/// An image is written in parts while it is encoded, and its collection is read change by change. A
/// renewal therefore needs memory for the old image and for those changes that later ones did not
/// replace, for the texts of the ids, 56 bytes per item, and one part: at most twice the image if
/// everything changed once. The new image is never in memory as a whole.
extension StoreMaintenance {
  /// Records a change; called before its commit.
  ///
  /// If the commit fails, an image may be renewed early.
  func note(_ id: Int64, change byteCount: Int, _ tables: StoreTables) throws {
    let isDue = try state.withLock { state in
      try state.demand.note(id, change: byteCount) { try tables.changes(of: id) }
    }
    if isDue { queue.async { self.renewImage(of: id) } }
  }

  /// Records the changes found when a collection was loaded.
  func note(_ id: Int64, loaded changes: ImageDemand.Changes) {
    if state.withLock({ $0.demand.note(id, changes) }) {
      queue.async { self.renewImage(of: id) }
    }
  }

  /// Records that a write replaced a collection's image.
  func noteImage(_ id: Int64) {
    state.withLock { state in
      state.demand.forget(id)
      state.hasGarbage = true
    }
  }

  func renewImage(of id: Int64) {
    guard !isStopped else { return }
    let set = partSets.begin()
    do throws(StoreError) {
      try writeImage(of: id, set)
    } catch {
      endRenewal(of: id, set, error)
    }
  }

  private func writeImage(of id: Int64, _ set: Int64) throws(StoreError) {
    guard let loaded = try load(id) else { return endRenewal(of: id, set, nil) }
    let (version, count) = (loaded.collection.version, loaded.collection.itemCount)
    let (revision, lineage) = (loaded.revision, version.lineage)
    let oldest = loaded.collection.oldestWithContents
    let writer = ImageWriter(self, set)
    loaded.collection.writeImage(pieceBytes: options.partBytesMax, writer.take)
    let data = try writer.finish()
    submit(
      byteCount: data.bytes.count, isImage: true,
      { tables in
        // Do not replace an image that a write has stored in the meantime.
        guard try tables.image(of: id, isRevision: revision, lineage: lineage) else { return }
        try tables.put(image: data, version, itemCount: count, of: id, oldest: oldest)
      }
    ) { self.endRenewal(of: id, set, $0) }
  }

  /// Ends the renewal of an image; after a failure, later changes trigger another attempt.
  private func endRenewal(of id: Int64, _ set: Int64, _ failure: StoreError?) {
    partSets.end([set])
    state.withLock { state in
      if failure == nil { state.demand.forget(id) } else { state.demand.noteFailure(id) }
      // The parts of the previous image or of the failed one are garbage.
      state.hasGarbage = true
    }
    clearGarbage()
    if !isStopped { report(failure, .image, "collection \(id) has no new image") }
  }

  private func load(_ id: Int64) throws(StoreError) -> StoreTables.Loaded? {
    do {
      return try pool.read { db in
        let tables = StoreTables(db: db)
        guard let lineage = try tables.lineage(of: id),
          var loaded = try tables.load(id, lineage: lineage, withImage: true),
          let image = loaded.image
        else { return nil }
        loaded.collection.clampSettings(to: options.settingsLimits)
        loaded.collection.trim(options.retention, now: options.date())
        do {
          let bytesMax = loaded.collection.olderBytesMax(options.retention)
          try tables.keepOlder(&loaded.collection, image: image, of: id, bytesMax: bytesMax)
        } catch let damage as DamagedData {
          // The newest version is intact; contents of older ones are lost.
          options.faults(Fault(.collectionDamaged, "collection \(id): \(damage.reason)"))
          loaded.collection.keep(nil)
        }
        return loaded
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Writes a part of an image between groups of writes, and waits for its commit.
  ///
  /// Call it only on the maintenance queue, which may block.
  fileprivate func write(part: [UInt8], _ index: Int, of set: Int64) throws(StoreError) {
    try perform(byteCount: part.count, isImage: true) {
      try $0.put(part: part[...], index, of: set)
    }
  }
}

/// Writes an image in parts while it is encoded.
private final class ImageWriter {
  private let maintenance: StoreMaintenance
  private let set: Int64
  private var partCount = 0
  private var byteCount = 0
  private var inline: [UInt8]?
  private var failure: StoreError?

  init(_ maintenance: StoreMaintenance, _ set: Int64) {
    self.maintenance = maintenance
    self.set = set
  }

  /// Writes the next piece; if it is the whole image, it is stored in the row instead.
  func take(_ piece: [UInt8], isLast: Bool) {
    guard failure == nil else { return }
    byteCount += piece.count
    if isLast, partCount == 0 {
      inline = piece
      return
    }
    do throws(StoreError) {
      try maintenance.write(part: piece, partCount, of: set)
    } catch {
      failure = error
    }
    partCount += 1
  }

  /// Returns the data for the row.
  ///
  /// - Throws: The error if a part was not written.
  func finish() throws(StoreError) -> StoredData {
    if let failure { throw failure }
    return inline.map { StoredData($0) } ?? StoredData(partSet: set, byteCount: byteCount)
  }
}

extension StoreTables {
  /// The changes to a collection since its image, counted without reading them.
  fileprivate func changes(of id: Int64) throws -> ImageDemand.Changes {
    let range = Self.changes(of: id)
    let image = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT seq, \(Self.size) FROM image WHERE collection = ?"),
      arguments: [id])
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*), coalesce(sum(\(Self.size)), 0) FROM change
          WHERE id BETWEEN ? AND ? AND seq > ?
          """),
      arguments: [range.lowerBound, range.upperBound, image?.decode(Int.self, atIndex: 0) ?? 0])
    guard let image, let row else { return ImageDemand.Changes() }
    return ImageDemand.Changes(
      count: try row.decode(atIndex: 0), byteCount: try row.decode(atIndex: 1),
      imageByteCount: try image.decode(atIndex: 1))
  }

  fileprivate func lineage(of id: Int64) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT lineage FROM collection WHERE id = ?"), arguments: [id])
  }

  /// Whether a collection's image is still the one that was read.
  fileprivate func image(of id: Int64, isRevision revision: Int64, lineage: String) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT count(*) FROM image JOIN collection ON collection.id = image.collection
        WHERE image.collection = ? AND revision = ? AND lineage = ?
        """)
    return try Int.fetchOne(statement, arguments: [id, revision, lineage]) == 1
  }
}
