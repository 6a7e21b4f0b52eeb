public import VersionedCollections

extension DeltaService {
  /// Returns the line of a collection in an export, without a line feed.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the line.
  public func exportLine(
    of key: CollectionKey, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<[UInt8], ServiceFailure>) -> Void
  ) {
    withCollection(key, requestID, isLong: true, reply) { _, collection in
      .success(collection.exportLine)
    }
  }
}
