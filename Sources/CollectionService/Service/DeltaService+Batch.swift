public import SnapshotJSON

/// What came of a batch.
public struct BatchReceipt: Sendable {
  /// What came of one write.
  public struct Entry: Sendable {
    /// The collection.
    public var collection: ResourceName
    /// What came of it; in an atomic batch that failed, `notApplied` where nothing else was wrong.
    public var result: Result<WriteReceipt, ServiceFailure>
  }

  /// Whether it was to be all or nothing.
  public var isAtomic: Bool
  /// One entry for each write, in order.
  public var entries: [Entry]

  /// Whether it is the receipt of the same request of earlier.
  public var isReplayed: Bool {
    entries.contains { entry in
      if case .success(let receipt) = entry.result { receipt.isReplayed } else { false }
    }
  }

  /// What made an atomic batch fail; nil when it did not.
  public var failure: ServiceFailure? {
    guard isAtomic else { return nil }
    let failures = entries.compactMap { entry in
      if case .failure(let failure) = entry.result { failure } else { nil }
    }
    return failures.first { $0.isCause }
  }
}

extension ServiceFailure {
  /// Whether it is not just the consequence of another one.
  fileprivate var isCause: Bool {
    if case .notApplied = error { false } else { true }
  }
}

extension DeltaService {
  /// Reads a JSON text on a worker, and gives it there.
  public func parse(
    _ body: [UInt8], then: @escaping @Sendable (Result<JSONDocument, ServiceError>) -> Void
  ) {
    workers.perform(body) { reader, _, _ in
      do throws(JSONError) {
        then(.success(try reader.read(body)))
      } catch {
        then(.failure(.badJSON(error)))
      }
    }
  }

  /// Writes several collections of a client; a reader sees all of it or nothing of it.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - body: `{"atomic":true,"writes":[…]}`.
  ///   - key: What tells it from a new request when it comes again.
  ///   - requestID: What the log calls the request.
  ///   - reply: Gets what came of each write when all is durable.
  public func batch(
    _ client: ResourceName, body: [UInt8], key: IdempotencyKey? = nil,
    requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<BatchReceipt, ServiceError>) -> Void
  ) {
    let shard = shard(of: client)
    let workers = workers
    @Sendable func read(on shard: Shard) {
      let settings = shard.clients[client]?.collections.mapValues(\.settings) ?? [:]
      workers.perform(body) { reader, limits, ticket in
        let batch = Batch.read(body, reader, limits, settings)
        shard.perform { shard in
          switch batch {
          case .failure(let error): reply(.failure(error))
          case .success(let batch):
            shard.submit(batch, client, key, requestID) { result in
              withExtendedLifetime(ticket) { reply(result) }
            }
          }
        }
      }
    }
    guard store.keepsContents else { return shard.perform { read(on: $0) } }
    // How bodies are read depends on the collections' settings: so first of all their names.
    workers.perform(body) { reader, _, _ in
      let needs = Needs(collections: Batch.names(body, reader), requestID: requestID)
      shard.perform {
        $0.whenHere(client, needs) { shard, error in
          if let error { return reply(.failure(ServiceError(error))) }
          read(on: shard)
        }
      }
    }
  }
}

extension Shard {
  fileprivate func submit(
    _ batch: Batch, _ client: ResourceName, _ key: IdempotencyKey?, _ requestID: RequestID?,
    _ reply: @escaping (Result<BatchReceipt, ServiceError>) -> Void
  ) {
    let job = WriteJob(
      .writes(batch.writes), isAtomic: batch.isAtomic, isBatch: true, key: key,
      requestID: requestID
    ) { results in
      let entries = zip(batch.writes, results).map {
        BatchReceipt.Entry(collection: $0.name, result: $1)
      }
      reply(.success(BatchReceipt(isAtomic: batch.isAtomic, entries: entries)))
    }
    submit(job, client: client)
  }
}
