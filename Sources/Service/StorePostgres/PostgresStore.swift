import Synchronization
package import VersionedCollections

/// A store in PostgreSQL 15 or later, which several replicas of the service may share.
///
/// A collection is an image and the changes since, as in the embedded store. A write is one
/// transaction that compares the heads it is based on; writes that come together are one transaction
/// while nothing is wrong with any of them, and else go one by one in one round trip. Reads have
/// their own connections. All calls to libpq are on dispatch queues of their own.
package final class PostgresStore: CollectionStore {
  struct Job: Sendable {
    var write: PostgresWrite
    var byteCount: Int
    var completion: @Sendable (Result<Void, StoreError>) -> Void

    var isLarge: Bool { byteCount > 256 << 10 }
  }

  private let link: PostgresLink
  private let options: PostgresOptions
  private let writers: PostgresPool<Job>
  private let readers: PostgresPool<PostgresRead>
  private let maintenance: PostgresMaintenance
  private let notices: PostgresNotices
  private let watch: FeedWatch

  /// Opens the store in a database, creating its tables if needed.
  ///
  /// - Parameters:
  ///   - conninfo: A connection string or URI for libpq. What it leaves out is taken from the
  ///     environment, the password file and the service file.
  ///   - options: The options.
  /// - Throws: `PostgresOpenError` if the database cannot be used.
  package init(_ conninfo: String, options: PostgresOptions) throws {
    let link = PostgresLink(conninfo, options)
    do {
      let connection = try link.connect()
      if options.isReadOnly {
        try PostgresSchema.checkIsCurrent(connection)
      } else {
        try PostgresSchema.migrate(connection)
      }
      if options.isReadOnly {
        // Nothing may be changed.
      } else if options.recordsUses {
        try connection.run(
          """
          INSERT INTO livedelta.last_use SELECT id, \(PostgresTables.now) FROM livedelta.collection
            WHERE id NOT IN (SELECT collection FROM livedelta.last_use)
            ORDER BY id ON CONFLICT DO NOTHING
          """)
      } else if options.dropsRecords {
        // Records of an earlier run with the limit say nothing about the time without it.
        try connection.run("DELETE FROM livedelta.last_use")
      }
    } catch let failure as PostgresFailure {
      throw PostgresOpenError(description: "the database cannot be used: \(failure.text)")
    }
    self.link = link
    self.options = options
    let limits = options.database
    readers = Self.pool(
      link, count: limits.readersMax, "readers", statementSeconds: limits.statementSeconds)
    let maintenance = PostgresMaintenance(
      Self.pool(link, count: 1, "maintenance", statementSeconds: limits.answerSeconds), options)
    self.maintenance = maintenance
    let watch = FeedWatch(readers, options.faults)
    self.watch = watch
    notices = PostgresNotices(link) {
      watch.look()
      maintenance.cleanIfDue()
    } send: { statement, completion in
      maintenance.submit {
        _ = try $0.run(statement.sql, statement.values)
      } completion: {
        if case .success = $0 { completion(true) } else { completion(false) }
      }
    }
    writers = PostgresPool(
      link, count: 2, label: "writers",
      take: { waiting in
        if waiting[0].isLarge { return [waiting.removeFirst()] }
        let group = waiting.prefix(Self.groupMax).prefix { !$0.isLarge }
        waiting.removeFirst(group.count)
        return Array(group)
      },
      perform: { Self.commit($0, $1, options) },
      refuse: { $0.completion(.failure($1)) })
    notices.start()
  }

  /// Creates or upgrades the tables in a database, as opening a store does; returns the number of their
  /// format before, 0 if there were none, and after.
  package static func migrate(_ conninfo: String) throws -> (before: Int, after: Int) {
    do {
      return try PostgresSchema.migrate(PostgresLink(conninfo, PostgresOptions()).connect())
    } catch let failure as PostgresFailure {
      throw PostgresOpenError(description: "the database cannot be used: \(failure.text)")
    }
  }

  private static let groupMax = 128

  private static func pool(
    _ link: PostgresLink, count: Int, _ label: String, statementSeconds: Int
  ) -> PostgresPool<PostgresRead> {
    PostgresPool(
      link, count: count, label: label, take: { [$0.removeFirst()] },
      perform: { reads, connection in
        let tables = PostgresTables(
          connection: connection, options: link.options, statementSeconds: statementSeconds)
        // There is one at a time.
        return reads.compactMap { $0(.success(tables)) }.first.map { LostConnection(failure: $0) }
      },
      refuse: { read, error in _ = read(.failure(error)) })
  }

  /// Ends all connections once they are idle.
  package func close() {
    notices.close()
    writers.close()
    readers.close()
    maintenance.close()
  }

  deinit { close() }

  // MARK: CollectionStore

  /// Always true.
  package var keepsContents: Bool { true }

  /// Always true.
  package var isShared: Bool { true }

  /// Why writes cannot be committed, as far as the last ones tell.
  package var outage: StoreOutage? { link.outage }

  /// Whether notices of other replicas arrive, as far as is known.
  package var noticesArrive: Bool? { notices.arrive }

  /// The seconds since the database was last reached; nil if it can be reached.
  package var secondsAway: Int? { link.secondsAway }

  /// The seconds for which the database could not be reached or read, if that is so or was within a duration until now.
  package func secondsStale(within duration: Duration) -> Int? {
    link.secondsStale(within: duration)
  }

  /// Reports clients that other replicas have written, from another queue.
  package func reportOthers(to report: @escaping @Sendable ([ResourceName]?) -> Void) {
    notices.report(to: report)
  }

  /// Encodes the transaction on the caller's thread and commits it with the next group.
  package func commit(_ transaction: StoreTransaction, completion: @escaping StoreCompletion<Void>)
  {
    if options.isReadOnly {
      return completion(.failure(.unavailable("the store is open for reading only")))
    }
    let write = PostgresWrite(transaction, options)
    writers.submit(
      Job(
        write: write, byteCount: write.statements.reduce(0) { $0 + $1.byteCount },
        completion: { [self] result in
          var result = result
          // A transaction that only compares has written nothing, whatever became of it.
          if case .failure(.unknown(let text)) = result, !transaction.writes {
            result = .failure(.unavailable(text))
          }
          completion(result)
          link.noteWrite(result)
          switch result {
          case .success: break
          // Others are told, too: what they are told is a hint.
          case .failure(.unknown): break
          case .failure: return
          }
          if transaction.changesHeads { notices.tell(transaction.client) }
          for (key, seq, byteCount) in write.changes {
            maintenance.note(key, seq: seq, byteCount: byteCount)
          }
        }))
  }

  /// Commits a group in one transaction; if that is refused, each in its own.
  private static func commit(
    _ jobs: [Job], _ connection: PostgresConnection, _ options: PostgresOptions
  ) -> LostConnection<Job>? {
    let preamble = PostgresWrite.preamble(options, for: jobs.map(\.write))
    if jobs.count > 1 {
      let (fates, loss) = connection.commit([[preamble] + jobs.flatMap(\.write.statements)])
      let isRefused = if case .failed = fates[0] { loss == nil } else { false }
      if !isRefused { return end(jobs, jobs.map { _ in fates[0] }, loss) }
    }
    let (fates, loss) = connection.commit(jobs.map { [preamble] + $0.write.statements })
    return end(jobs, fates, loss)
  }

  /// Completes all jobs, but those that another connection can commit.
  private static func end(
    _ jobs: [Job], _ fates: [TransactionFate], _ loss: PostgresFailure?
  ) -> LostConnection<Job>? {
    var lost = loss.map { LostConnection<Job>(failure: $0) }
    for (job, fate) in zip(jobs, fates) {
      if lost != nil, fate.isRepeatable {
        lost?.untouched.append(job)
      } else {
        job.completion(fate.result)
      }
    }
    return lost
  }

  // MARK: Reading

  /// Reads all parts in one view, on a connection for readers.
  package func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    read {
      try $0.values(of: parts, client)
    } completion: { [link] in
      switch $0 {
      case .success(let values):
        link.noteRead(nil)
        completion(values)
      case .failure(let error):
        link.noteRead(error)
        completion(parts.map { _ in .failure(error) })
      }
    }
  }

  /// Reads the lists of several clients in one query.
  package func summaries(
    of clients: [ResourceName],
    completion: @escaping StoreCompletion<[ResourceName: [CollectionSummary]]>
  ) {
    read {
      try $0.summaries(of: clients)
    } completion: { [link] in
      if case .failure(let error) = $0 { link.noteRead(error) } else { link.noteRead(nil) }
      completion($0)
    }
  }

  /// Counts the rows of collections.
  package func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) {
    read {
      try $0.run("SELECT count(*) FROM livedelta.collection").number(0, 0)
    } completion: { [options] in
      completion(options.durable.value($0, or: "collections were not counted"))
    }
  }

  /// Scans the index of idempotency records.
  package func recordOwners(
    after owner: RecordOwner?, countMax: Int, completion: @escaping StoreCompletion<[RecordOwner]>
  ) { read({ try $0.recordOwners(after: owner, countMax: countMax) }, completion: completion) }

  /// Scans the index of names from the first match.
  package func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping StoreCompletion<[ClientSummary]>
  ) {
    read({ try $0.clients(in: range, after: name, limit: limit) }, completion: completion)
  }

  /// Reads the feed in one view.
  package func feed(
    after number: UInt64?, countMax: Int, completion: @escaping StoreCompletion<StoredFeed>
  ) { read({ try $0.feed(after: number, countMax: countMax) }, completion: completion) }

  /// How late the feed was when it was last looked at.
  package var feedState: FeedState? { watch.state }

  /// Updates the row of the job if its turn is free or the holder's.
  package func turn(
    _ job: String, holder: String, seconds: Int, position: String?, isNew: Bool,
    completion: @escaping StoreCompletion<JobTurn?>
  ) {
    read(
      { try $0.turn(job, holder: holder, seconds: seconds, position: position, isNew: isNew) },
      completion: completion)
  }

  /// Adds up the sizes of images and changes.
  package func storedBytes(
    of client: ResourceName, completion: @escaping StoreCompletion<[ResourceName: Int]>
  ) { read({ try $0.storedBytes(of: client) }, completion: completion) }

  // MARK: Maintenance

  /// Scans all collections.
  package func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionKey]) -> Void
  ) {
    read({ try $0.unused(since: date, countMax: countMax) }) { [options] in
      completion(options.durable.value($0, or: "unused collections were not found") ?? [])
    }
  }

  /// Records all uses in one statement.
  package func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) {
    maintenance.submit {
      try $0.record(uses, date: date)
    } completion: { [options] in
      completion(options.durable.value($0, or: "uses were not recorded") != nil)
    }
  }

  /// Renews all images and clears away what has expired.
  package func compact(
    _ completion: @escaping StoreCompletion<CompactionReport>
  ) { maintenance.compact(completion) }

  private func read<T: Sendable>(
    _ body: @escaping @Sendable (PostgresTables) throws -> T,
    completion: @escaping StoreCompletion<T>
  ) { readers.submit(body, completion: completion) }
}

extension StoreTransaction {
  fileprivate var writes: Bool { changesHeads || idempotency != nil }

  /// Whether readers may see something else after it.
  fileprivate var changesHeads: Bool {
    entries.contains { entry in if case .check = entry.change { false } else { true } }
  }
}
