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
  func compact(
    _ completion: @escaping @Sendable (Result<CompactionReport, StoreError>) -> Void
  ) {
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
    while let id = try collectionWithChanges(from: next) {
      renewImage(of: id)
      next = id + 1
    }
    do {
      repeat { try sweepLedgers() } while !isStopped && state.withLock({ $0.ledgerCursor != 0 })
    } catch {
      throw StoreError(error)
    }
    while try perform({ try $0.clearGarbage(except: self.partSets.underWay) }) {}
    log.truncateSoon()
    // The log is truncated after the first group, before the second.
    for _ in 1...2 { try perform { _ in } }
    report.after = try space()
    return report
  }

  private func collectionWithChanges(from next: Int64) throws(StoreError) -> Int64? {
    do {
      return try pool.read { db in
        try Int64.fetchOne(
          db.cachedStatement(sql: "SELECT id >> 32 FROM change WHERE id >= ? ORDER BY id LIMIT 1"),
          arguments: [next << 32])
      }
    } catch {
      throw StoreError(error)
    }
  }

  private func space() throws(StoreError) -> CompactionReport.Space {
    var space = CompactionReport.Space()
    do {
      try pool.read { db in
        func number(_ pragma: String) throws -> Int {
          try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
        }
        let pageBytes = try number("page_size")
        space.databaseBytes = try number("page_count") * pageBytes
        space.freeBytes = try number("freelist_count") * pageBytes
      }
    } catch {
      throw StoreError(error)
    }
    var status = stat()
    if stat(pool.path + "-wal", &status) == 0 { space.logBytes = Int(status.st_size) }
    return space
  }

  /// Performs work in the next group of writes, and waits for its commit.
  ///
  /// Call it only on the maintenance queue, which may block.
  @discardableResult
  func perform<T: Sendable>(
    byteCount: Int = 0, isImage: Bool = false,
    _ work: @escaping @Sendable (StoreTables) throws -> T
  ) throws(StoreError) -> T {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<(value: T?, failure: StoreError?)>((nil, nil))
    let isSubmitted = submit(
      byteCount: byteCount, isImage: isImage,
      { tables in
        let value = try work(tables)
        outcome.withLock { $0.value = value }
      }
    ) { failure in
      outcome.withLock { $0.failure = failure }
      done.signal()
    }
    guard isSubmitted else { throw .unavailable("the store is closing") }
    done.wait()
    let (value, failure) = outcome.withLock { ($0.value, $0.failure) }
    guard let value, failure == nil else { throw failure ?? .unavailable("nothing was written") }
    return value
  }
}

extension StoreTables {
  /// The bytes that each of a client's collections takes, with its history.
  func storedBytes(of client: String) throws -> [ResourceName: Int] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name, coalesce((SELECT \(Self.size) FROM image WHERE collection = owner.id), 0)
            + coalesce((SELECT sum(\(Self.size)) FROM change
              WHERE id BETWEEN owner.id << 32 AND owner.id << 32 | 4294967295), 0)
          FROM collection AS owner WHERE client = ?
          """), arguments: [client])
    var sizes: [ResourceName: Int] = [:]
    for row in rows {
      // An error means a damaged name, which the list of the client's collections reports.
      guard let text = try? row.decode(String.self, atIndex: 0), let name = ResourceName(text)
      else { continue }
      sizes[name] = try row.decode(atIndex: 1)
    }
    return sizes
  }
}
