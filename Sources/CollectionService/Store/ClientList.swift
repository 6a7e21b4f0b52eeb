/// Which clients a list of them is to have.
public struct ClientQuery: Sendable {
  /// The name behind which the list begins; nil for the first.
  public var after: ResourceName?
  /// What the names begin with.
  public var prefix: String
  /// The most clients that are wanted.
  public var limit: Int
  /// Whether a client may be listed: who asks need not know all.
  public var isListed: @Sendable (ResourceName) -> Bool

  /// Puts a query together.
  public init(
    after: ResourceName? = nil, prefix: String = "", limit: Int,
    isListed: @escaping @Sendable (ResourceName) -> Bool = { _ in true }
  ) {
    self.after = after
    self.prefix = prefix
    self.limit = limit
    self.isListed = isListed
  }

  /// Whether a client is asked for, on whichever page it comes.
  public func includes(_ client: ResourceName) -> Bool {
    client.text.utf8.starts(with: prefix.utf8) && (after.map { $0 < client } ?? true)
      && isListed(client)
  }
}

/// A client as the index of clients shows it.
public struct ClientSummary: Hashable, Sendable {
  /// Its name.
  public var name: ResourceName
  /// The number of its collections.
  public var collectionCount: Int

  /// Puts a summary together.
  public init(name: ResourceName, collectionCount: Int) {
    self.name = name
    self.collectionCount = collectionCount
  }
}

extension DeltaService {
  /// Lists the clients that have collections, by name.
  ///
  /// - Parameters:
  ///   - query: Which clients, and how many of them at most.
  ///   - reply: Gets the list, and whether there are more.
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
