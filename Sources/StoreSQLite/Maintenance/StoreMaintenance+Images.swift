import CollectionService
import Dispatch
import GRDB
import Synchronization

/// New images: one at a time, read, made and written while requests go on.
///
/// An image is written in parts while it is made, and its collection is read change by change, so
/// that a renewal has in memory the bytes of the old image and of those changes that later ones did
/// not replace, the texts of the ids, 56 bytes an item, and one part: at most twice the image when
/// what changed was changed once, and never the new image as a whole.
extension StoreMaintenance {
  /// A change was written.
  ///
  /// Taken before the commit: at worst an image comes early.
  func note(_ id: Int64, change byteCount: Int, _ tables: StoreTables) throws {
    let isDue = try state.withLock { state in
      try state.demand.note(id, change: byteCount) { try tables.changes(of: id) }
    }
    if isDue { queue.async { self.renewImage(of: id) } }
  }

  /// A collection was loaded.
  func note(_ id: Int64, loaded changes: ImageDemand.Changes) {
    if state.withLock({ $0.demand.note(id, changes) }) {
      queue.async { self.renewImage(of: id) }
    }
  }

  /// A collection has a new image that a write brought.
  func noteImage(_ id: Int64) {
    state.withLock { state in
      state.demand.forget(id)
      state.hasGarbage = true
    }
  }

  private func renewImage(of id: Int64) {
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
    let oldest = loaded.collection.oldestWhole
    let writer = ImageWriter(self, set)
    loaded.collection.writeImage(pieceBytes: options.partBytesMax, writer.take)
    let data = try writer.finish()
    submit(
      byteCount: data.bytes.count, isImage: true,
      { tables in
        // What was read is not to come back over an image that a write has brought meanwhile,
        // perhaps one that forgets what was before.
        guard try tables.image(of: id, isRevision: revision, lineage: lineage) else { return }
        try tables.put(image: data, version, itemCount: count, of: id, oldest: oldest)
      }
    ) { self.endRenewal(of: id, set, $0) }
  }

  /// A collection has a new image, or it failed: then its next changes have it tried again.
  private func endRenewal(of id: Int64, _ set: Int64, _ failure: StoreError?) {
    partSets.end([set])
    state.withLock { state in
      if failure == nil { state.demand.forget(id) } else { state.demand.noteFailure(id) }
      // The parts of the image before, or of one that was not used.
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
          try tables.keepOlder(&loaded.collection, image: image, of: id, options.retention)
        } catch let damage as DamagedData {
          // The newest version is whole: contents of older ones are lost.
          options.faults(Fault(.collectionDamaged, "collection \(id): \(damage.reason)"))
          loaded.collection.keep(nil)
        }
        return loaded
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Writes a part of an image between the groups of writes, and waits for it.
  ///
  /// For the maintenance queue: nothing else waits for the writer.
  fileprivate func write(part: [UInt8], _ index: Int, of set: Int64) throws(StoreError) {
    let done = DispatchSemaphore(value: 0)
    let failure = Mutex<StoreError?>(nil)
    let isSubmitted = submit(
      byteCount: part.count, isImage: true, { try $0.put(part: part[...], index, of: set) }
    ) { error in
      failure.withLock { $0 = error }
      done.signal()
    }
    guard isSubmitted else { throw .unavailable("the store is closing") }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// Writes the parts of an image while it is made.
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

  /// Takes the next piece; one that is all of the image will go into the row.
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

  /// What goes into the row.
  ///
  /// - Throws: Why a part was not written.
  func finish() throws(StoreError) -> StoredData {
    if let failure { throw failure }
    return inline.map { StoredData($0) } ?? StoredData(partSet: set, byteCount: byteCount)
  }
}

extension StoreTables {
  /// The changes of a collection since its image, counted without reading them.
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
