public import SnapshotJSON
public import VersionedCollections

/// The result of a batch.
public struct BatchReceipt: Sendable {
  /// The result of one write.
  public struct Entry: Sendable {
    /// The collection.
    public var collection: ResourceName
    /// The result of the write; `notApplied` if only other writes of an atomic batch failed.
    public var result: Result<WriteReceipt, ServiceFailure>
  }

  /// Whether all writes were to be applied or none.
  public var isAtomic: Bool
  /// One entry for each write, in order.
  public var entries: [Entry]

  /// Whether this is the receipt of an earlier attempt with the same idempotency key.
  public var isReplayed: Bool {
    entries.contains { entry in
      if case .success(let receipt) = entry.result { receipt.isReplayed } else { false }
    }
  }

  /// The error that made an atomic batch fail, and the index of its write; nil if it succeeded.
  public var failure: (write: Int, failure: ServiceFailure)? {
    guard isAtomic else { return nil }
    for (index, entry) in entries.enumerated() {
      if case .failure(let failure) = entry.result, failure.isCause { return (index, failure) }
    }
    return nil
  }
}

extension ServiceFailure {
  /// Whether this is not merely the consequence of another failure.
  fileprivate var isCause: Bool {
    if case .notApplied = error { false } else { true }
  }
}

extension DeltaService {
  /// Parses the JSON text of a request on a worker, where `then` is called.
  public func parse(
    _ body: [UInt8], then: @escaping @Sendable (Result<StrictJSON, ServiceError>) -> Void
  ) {
    workers.perform(body.count) { reader, _, _ in
      then(Result { () throws(ServiceError) in try reader.document(body) })
    }
  }

  /// Writes several collections of a client; readers see all of the changes or none.
  ///
  /// - Parameters:
  ///   - client: The owner of the collections.
  ///   - body: `{"atomic":true,"writes":[…]}`.
  ///   - permits: Whether a collection may be written; if one may not, the whole batch fails with
  ///     `notPermitted`.
  ///   - key: The key that identifies a retry of the same request.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the result of each write when all changes are durable.
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
          results.mapError(\.error).map { results in
            let entries = zip(names, results).map {
              BatchReceipt.Entry(collection: $0, result: $1)
            }
            return BatchReceipt(isAtomic: batch.isAtomic, entries: entries)
          })
      }
      shard.handle(.write(job))
    }
    let shard = shard(of: client)
    if body.count <= limits.inlineBodyBytesMax {
      shard.perform { submit(shard.reader, to: shard) }
    } else {
      // Only what identifies the writes is retained; their text is parsed again when they start.
      workers.perform(body.count) { reader, _, _ in submit(reader, to: shard) }
    }
  }
}
