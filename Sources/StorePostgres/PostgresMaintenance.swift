import Synchronization
import VersionedCollections

/// The work that no request waits for, on a connection of its own.
///
/// Long work is done in pieces, each of which goes to the end of the queue, so that the others have
/// their turn. What fails, or has waited for too long, is a fault; it is done again later.
final class PostgresMaintenance: Sendable {
  typealias Pool = PostgresPool<PostgresRead>

  private let pool: Pool
  private let options: PostgresOptions
  private let demand = Mutex(ImageDemand())
  private let isCleaning = Mutex(false)

  init(_ pool: Pool, _ options: PostgresOptions) {
    self.pool = pool
    self.options = options
  }

  /// Closes the connection once it is idle.
  func close() { pool.close() }

  /// Executes work when its turn has come.
  func submit<T: Sendable>(
    _ body: @escaping @Sendable (PostgresTables) throws -> T,
    completion: @escaping @Sendable (Result<T, StoreError>) -> Void
  ) { pool.submit(body, completion: completion) }

  // MARK: Images

  /// Counts changes, and renews the image they are applied to when they are many.
  func note(_ key: CollectionKey, count: Int, byteCount: Int) {
    if options.isReadOnly { return }
    let isDue = demand.withLock { $0.note(key, count: count, byteCount: byteCount, options) }
    guard isDue else { return }
    submit {
      try $0.renewImage(of: key)
    } completion: { [self] result in
      if case .failure(let error) = result, !pool.isClosed {
        options.faults(
          Fault(.image, "no new image: \(error.text)", client: key.client, collection: key.name))
      }
      // What is damaged is so the next time, too.
      let hasLooked =
        switch result {
        case .success, .failure(.damaged): true
        case .failure: false
        }
      demand.withLock { $0.end(key, hasLooked: hasLooked) }
    }
  }

  // MARK: Cleaning

  /// Clears away what has expired, unless that is under way.
  ///
  /// - Parameter completion: Called with whether it was done.
  func clean(_ completion: @escaping @Sendable (Bool) -> Void = { _ in }) {
    if options.isReadOnly { return completion(true) }
    let isFirst = isCleaning.withLock { isCleaning in
      defer { isCleaning = true }
      return !isCleaning
    }
    guard isFirst else { return completion(true) }
    submit {
      try $0.clean()
    } completion: { [self] in
      if endsCleaning($0, completion) { return }
      cleanFeed(completion)
    }
  }

  /// Clears away a piece of the feed after the other.
  private func cleanFeed(_ completion: @escaping @Sendable (Bool) -> Void) {
    submit {
      try $0.cleanFeed()
    } completion: { [self] in
      if endsCleaning($0, completion) { return }
      if case .success(true) = $0 { return cleanFeed(completion) }
      isCleaning.withLock { $0 = false }
      completion(true)
    }
  }

  private func endsCleaning<T>(
    _ result: Result<T, StoreError>, _ completion: (Bool) -> Void
  ) -> Bool {
    guard case .failure(let error) = result else { return false }
    if !pool.isClosed {
      options.faults(Fault(.cleanup, "what has expired was not cleared away: \(error.text)"))
    }
    isCleaning.withLock { $0 = false }
    completion(false)
    return true
  }

  // MARK: Compaction

  /// Renews all images and clears away what has expired, in pieces.
  func compact(
    _ completion: @escaping @Sendable (Result<CompactionReport, StoreError>) -> Void
  ) {
    submit {
      CompactionReport(databaseBytes: try $0.byteCount())
    } completion: { [self] in
      switch $0 {
      case .success(let report): compact(from: 0, report, completion)
      case .failure: completion($0)
      }
    }
  }

  private func compact(
    from next: Int, _ report: CompactionReport,
    _ completion: @escaping @Sendable (Result<CompactionReport, StoreError>) -> Void
  ) {
    submit { [options] tables -> Int? in
      try tables.compact(from: next, for: options.compactionPiece) { key, damage in
        options.faults(
          Fault(.collectionDamaged, damage.reason, client: key.client, collection: key.name))
      }
    } completion: { [self] in
      switch $0 {
      case .success(let next?): compact(from: next, report, completion)
      case .success(nil): clean { [self] _ in end(report, completion) }
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func end(
    _ report: CompactionReport,
    _ completion: @escaping @Sendable (Result<CompactionReport, StoreError>) -> Void
  ) {
    submit {
      var report = report
      report.after.databaseBytes = try $0.byteCount()
      return report
    } completion: {
      completion($0)
    }
  }
}
