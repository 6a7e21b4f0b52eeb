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

  /// What made an atomic batch fail, and the index of the write; nil when it did not.
  public var failure: (write: Int, failure: ServiceFailure)? {
    guard isAtomic else { return nil }
    for (index, entry) in entries.enumerated() {
      if case .failure(let failure) = entry.result, failure.isCause { return (index, failure) }
    }
    return nil
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
    workers.perform(body.count) { reader, _, _ in
      then(Result { () throws(ServiceError) in try reader.document(body) })
    }
  }

  /// Writes several collections of a client; a reader sees all of it or nothing of it.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - body: `{"atomic":true,"writes":[…]}`.
  ///   - permits: Whether a collection may be written. One that may not is `notPermitted`
  ///     for the whole batch, of which nothing is written.
  ///   - key: What tells it from a new request when it comes again.
  ///   - requestID: What the log calls the request.
  ///   - reply: Gets what came of each write when all is durable.
  public func batch(
    _ client: ResourceName, body: [UInt8],
    permits: @escaping @Sendable (ResourceName) -> Bool = { _ in true },
    key: IdempotencyKey? = nil, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<BatchReceipt, ServiceError>) -> Void
  ) {
    let limits = limits
    @Sendable func submit(_ reader: JSONReader, to shard: Shard) {
      let batch: Batch
      do throws(ServiceError) {
        batch = try Batch(body, reader, limits)
      } catch {
        return reply(.failure(error))
      }
      let names = batch.writes.map(\.name)
      guard names.allSatisfy(permits) else { return reply(.failure(.notPermitted)) }
      let job = WriteJob(
        client: client, scope: .writes(batch.writes), isAtomic: batch.isAtomic, isBatch: true,
        key: key, requestID: requestID
      ) { results in
        reply(
          results.map { results in
            let entries = zip(names, results).map {
              BatchReceipt.Entry(collection: $0, result: $1)
            }
            return BatchReceipt(isAtomic: batch.isAtomic, entries: entries)
          })
      }
      shard.perform { $0.submit(job) }
    }
    let shard = shard(of: client)
    if body.count <= limits.inlineBodyBytesMax {
      shard.perform { submit($0.reader, to: $0) }
    } else {
      // Only what the batch is about is kept until its turn: the text is read again then.
      workers.perform(body.count) { reader, _, _ in submit(reader, to: shard) }
    }
  }
}
