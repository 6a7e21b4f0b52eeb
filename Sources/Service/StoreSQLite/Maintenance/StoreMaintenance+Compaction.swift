import Dispatch
import GRDB
import Glibc
import Synchronization
import VersionedCollections

extension StoreMaintenance {
  /// Deletes expired history, old requests and garbage, then empties the log; one step at a time
  /// between groups of writes, so that no write waits for longer than one step.
  ///
  /// The database keeps its size: later writes use the pages that are free. Only a copy is smaller.
  func compact(_ completion: @escaping StoreCompletion<CompactionReport>) {
    queue.async { [self] in
      do throws(StoreError) {
        completion(.success(try compacted()))
      } catch {
        completion(.failure(error))
      }
    }
  }

  private func compacted() throws(StoreError) -> CompactionReport {
    var report = CompactionReport()
    report.before = try space()
    var next: Int64 = 0
    while let (id, key) = try collectionWithChanges(from: next) {
      // One with a damaged name is read by nobody.
      if let key { renewImage(of: key, ifDue: false) }
      next = id + 1
    }
    repeat { try sweepLedgers() } while !isStopped && state.withLock({ $0.ledgerCursor != 0 })
    while try perform({ try $0.clearGarbage(except: self.partSets.underWay) }) {}
    log.truncateSoon()
    // The log is truncated after the first group, before the second.
    for _ in 1...2 { try perform { _ in } }
    report.after = try space()
    return report
  }

  private func collectionWithChanges(
    from next: Int64
  ) throws(StoreError) -> (id: Int64, key: CollectionKey?)? {
    try read { tables in
      try tables.number(
        "SELECT id >> 32 FROM change WHERE id >= ? ORDER BY id LIMIT 1", [next << 32]
      ).map { ($0, try tables.key(of: $0)) }
    }
  }

  private func space() throws(StoreError) -> CompactionReport.Space {
    var space = try read { tables in
      func number(_ pragma: String) throws -> Int {
        try Int.fetchOne(tables.db, sql: "PRAGMA \(pragma)") ?? 0
      }
      var space = CompactionReport.Space()
      let pageBytes = try number("page_size")
      space.databaseBytes = try number("page_count") * pageBytes
      space.freeBytes = try number("freelist_count") * pageBytes
      return space
    }
    var status = stat()
    if stat(pool.path + "-wal", &status) == 0 { space.logBytes = Int(status.st_size) }
    return space
  }
}
