public import VersionedCollections

extension DeltaService {
  /// Returns the line of a collection in an export, without a line feed.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the line.
  public func exportLine(
    of key: CollectionKey, requestID: RequestID? = nil, reply: @escaping ServiceReply<[UInt8]>
  ) {
    let shard = shard(of: key.client)
    withCollection(key, requestID) { result in
      switch result {
      case .failure(let failure): reply(.failure(failure))
      case .success(let collection):
        let byteCount = collection.contents.byteCount
        shard.answer(isLong: { byteCount > $0.limits.inlineBodyBytesMax }) { _ in
          reply(.success(collection.exportLine))
        }
      }
    }
  }
}
