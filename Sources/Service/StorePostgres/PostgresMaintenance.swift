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
  private let demand: Mutex<ImageDemand>
  private let cleaning = Mutex(Cleaning())

  private struct Cleaning {
    var isUnderWay = false
    var next = ContinuousClock.now
  }

  init(_ pool: Pool, _ options: PostgresOptions) {
    self.pool = pool
    self.options = options
    demand = Mutex(ImageDemand(options.durable))
  }

  func close() { pool.close() }

  /// Executes work when its turn has come.
  func submit<T: Sendable>(
    _ body: @escaping @Sendable (PostgresTables) throws -> T,
    completion: @escaping StoreCompletion<T>
  ) { pool.submit(body, completion: completion) }

  // MARK: Images

  /// Records a change that was committed, and renews the image if it is due.
  func note(_ key: CollectionKey, seq: Int, byteCount: Int) {
    guard demand.withLock({ $0.note(key, seq: seq, byteCount: byteCount) }) else { return }
    submit {
      try $0.renewImage(of: key)
    } completion: { [self] result in
      if case .failure(let error) = result, !pool.isClosed {
        options.faults(
          Fault(
            .image, "its image was not renewed: \(error.text)", client: key.client,
            collection: key.name))
      }
      let isRenewed = if case .success = result { true } else { false }
      demand.withLock { $0.end(key, isRenewed: isRenewed) }
    }
  }

  // MARK: Cleaning

  /// Clears away what has expired every ten minutes, and after one minute if that failed.
  func cleanIfDue() {
    if cleaning.withLock({ $0.next <= .now }) { clean {} }
  }

  /// Clears away what has expired, unless that is under way.
  private func clean(_ completion: @escaping @Sendable () -> Void) {
    if options.isReadOnly { return completion() }
    let isFirst = cleaning.withLock { cleaning in
      defer { cleaning.isUnderWay = true }
      return !cleaning.isUnderWay
    }
    guard isFirst else { return completion() }
    submit({ try $0.clean() }) { [self] in
      switch $0 {
      case .success: cleanFeed(completion)
      case .failure(let error): endCleaning(error, completion)
      }
    }
  }

  /// Clears away a piece of the feed after the other.
  private func cleanFeed(_ completion: @escaping @Sendable () -> Void) {
    submit({ try $0.cleanFeed() }) { [self] in
      switch $0 {
      case .success(true): cleanFeed(completion)
      case .success(false): endCleaning(nil, completion)
      case .failure(let error): endCleaning(error, completion)
      }
    }
  }

  private func endCleaning(_ error: StoreError?, _ completion: () -> Void) {
    if let error, !pool.isClosed {
      options.faults(Fault(.cleanup, "expired data was not deleted: \(error.text)"))
    }
    let seconds = error == nil ? 600 : 60
    cleaning.withLock { $0 = Cleaning(next: .now + .seconds(seconds)) }
    completion()
  }

  // MARK: Compaction

  /// Renews all images and clears away what has expired, in pieces.
  func compact(_ completion: @escaping StoreCompletion<CompactionReport>) {
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
    _ completion: @escaping StoreCompletion<CompactionReport>
  ) {
    submit { [options] tables -> Int? in
      try tables.compact(from: next, for: options.compactionPiece) { key, damage in
        options.faults(
          Fault(.collectionDamaged, damage.reason, client: key.client, collection: key.name))
      }
    } completion: { [self] in
      switch $0 {
      case .success(let next?): compact(from: next, report, completion)
      case .success(nil): clean { [self] in end(report, completion) }
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func end(
    _ report: CompactionReport, _ completion: @escaping StoreCompletion<CompactionReport>
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
