/// A query for a page of the index of clients.
public struct ClientQuery: Sendable {
  /// The name after which the page starts; nil for the first page.
  public var after: ResourceName?
  /// The required prefix of the names.
  public var prefix: String
  /// The maximum number of clients.
  public var limit: Int
  /// Whether a client may be listed; callers may lack permission to see some.
  public var isListed: @Sendable (ResourceName) -> Bool

  /// Creates a query.
  public init(
    after: ResourceName? = nil, prefix: String = "", limit: Int,
    isListed: @escaping @Sendable (ResourceName) -> Bool = { _ in true }
  ) {
    self.after = after
    self.prefix = prefix
    self.limit = limit
    self.isListed = isListed
  }

  /// Whether a client matches, ignoring `limit`.
  public func includes(_ client: ResourceName) -> Bool {
    client.text.utf8.starts(with: prefix.utf8) && (after.map { $0 < client } ?? true)
      && isListed(client)
  }
}

/// An entry of the index of clients.
public struct ClientSummary: Hashable, Sendable {
  /// Its name.
  public var name: ResourceName
  /// The number of its collections.
  public var collectionCount: Int

  /// Creates a summary.
  public init(name: ResourceName, collectionCount: Int) {
    self.name = name
    self.collectionCount = collectionCount
  }
}

extension DeltaService {
  /// Lists the clients that have collections, by name.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - reply: Called with the page and whether there are more clients.
  public func clients(
    _ query: ClientQuery,
    reply:
      @escaping @Sendable (
        Result<(page: [ClientSummary], hasMore: Bool), ServiceFailure>
      ) -> Void
  ) {
    var oneMore = query
    oneMore.limit += 1
    store.clients(oneMore) { result in
      reply(
        result.map { (Array($0.prefix(query.limit)), $0.count > query.limit) }
          .mapError { ServiceFailure(ServiceError($0), current: nil) })
    }
  }
}
