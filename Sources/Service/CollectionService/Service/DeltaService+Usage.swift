import Dispatch
public import VersionedCollections

/// What a collection takes, and who follows it.
public struct CollectionUsage: Sendable {
  /// The collection.
  public var summary: CollectionSummary
  /// The bytes that it takes in the store, with its history; of its contents if the store keeps none,
  /// and nil if that is not known either.
  public var byteCount: Int?
  /// The number of readers waiting for a change, streams included.
  public var readerCount: Int
  /// Whether it is in memory, because it was used recently.
  public var isLoaded: Bool
}

/// What a client's collections take together, and who follows them.
public struct ClientUsage: Sendable {
  /// The client.
  public var name: ResourceName
  /// The number of its collections, damaged ones included.
  public var collectionCount: Int
  /// The number of items in all collections.
  public var itemCount = 0
  /// The bytes that are known of; see ``CollectionUsage/byteCount``.
  public var byteCount = 0
  /// The number of readers waiting for a change, streams included.
  public var readerCount = 0
}

extension DeltaService {
  /// Lists what a client's collections take, by name, except those that are damaged in the store.
  ///
  /// - Parameters:
  ///   - client: The owner.
  ///   - after: The name after which the page starts; nil for the first page.
  ///   - limit: The maximum number of entries.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the page and whether there are more entries.
  public func usage(
    of client: ResourceName, after: ResourceName?, limit: Int, requestID: RequestID? = nil,
    reply: @escaping ServiceReply<(page: [CollectionUsage], hasMore: Bool)>
  ) {
    index(of: client, after: after, limit: limit, requestID: requestID) { [self] result in
      let (page, hasMore): ([CollectionSummary], Bool)
      switch result {
      case .success(let answer): (page, hasMore) = answer
      case .failure(let failure): return reply(.failure(failure))
      }
      let store = store
      shard(of: client).inspect { machine in
        let state = machine.clients[client]
        let entries = page.map {
          CollectionUsage(
            summary: $0, byteCount: $0.byteCount, readerCount: state?.waiters[$0.name]?.count ?? 0,
            isLoaded: state?.collections[$0.name] != nil)
        }
        store.storedBytes(of: client) { [faults = self.faults] result in
          switch result {
          case .success(let sizes):
            let sized = entries.map { entry in
              var entry = entry
              entry.byteCount = sizes[entry.summary.name] ?? entry.byteCount
              return entry
            }
            reply(.success((sized, hasMore)))
          case .failure(let error):
            faults(Fault(error, client: client, requestID: requestID))
            reply(.failure(ServiceFailure(ServiceError(error), current: nil)))
          }
        }
      }
    }
  }

  /// Lists what clients take, by name.
  ///
  /// - Parameters:
  ///   - query: Which clients.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the page and the name after which the next one starts, if there is one.
  public func usage(
    of query: ClientQuery, requestID: RequestID? = nil,
    reply: @escaping ServiceReply<(page: [ClientUsage], next: ResourceName?)>
  ) {
    clients(query) { [self] result in
      switch result {
      case .failure(let failure): reply(.failure(failure))
      case .success(let page):
        add(page.clients[...], to: [], requestID) { sums in reply(sums.map { ($0, page.next) }) }
      }
    }
  }

  /// Adds up the usage of clients, one after the other, until one is not known.
  private func add(
    _ rest: ArraySlice<ClientSummary>, to done: [ClientUsage], _ requestID: RequestID?,
    _ reply: @escaping ServiceReply<[ClientUsage]>
  ) {
    guard let client = rest.first else { return reply(.success(done)) }
    usage(of: client.name, after: nil, limit: .max, requestID: requestID) { [self] result in
      let page: [CollectionUsage]
      switch result {
      case .success(let answer): page = answer.page
      case .failure(let failure): return reply(.failure(failure))
      }
      var usage = ClientUsage(name: client.name, collectionCount: client.collectionCount)
      for entry in page {
        usage.itemCount += entry.summary.itemCount
        usage.byteCount += entry.byteCount ?? 0
        usage.readerCount += entry.readerCount
      }
      let sum = done + [usage]
      // Not from here, because all may complete synchronously, one inside the other.
      DispatchQueue.global().async { [self] in add(rest.dropFirst(), to: sum, requestID, reply) }
    }
  }

  /// Frees what the store no longer needs; see `CollectionStore.compact(_:)`.
  public func compact(_ reply: @escaping ServiceReply<CompactionReport>) {
    store.compact { result in
      reply(result.mapError { ServiceFailure(ServiceError($0), current: nil) })
    }
  }
}
