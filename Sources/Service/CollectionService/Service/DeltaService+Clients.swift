public import VersionedCollections

/// A query for a page of the index of clients.
public struct ClientQuery: Sendable {
  /// The name after which the page starts; nil for the first page.
  public var after: ResourceName?
  /// The maximum number of clients.
  public var limit: Int
  /// Where clients that may be listed are, ascending, without overlaps.
  public let ranges: [NameRange]
  /// Whether a client in one of the ranges may be listed; callers may lack permission to see some.
  public var isListed: @Sendable (ResourceName) -> Bool

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - after: The name after which the page starts; nil for the first page.
  ///   - prefix: The required prefix of the names.
  ///   - limit: The maximum number of clients.
  ///   - ranges: Where clients that may be listed are; nothing outside of them is read.
  ///   - isListed: Whether a client in one of the ranges may be listed.
  public init(
    after: ResourceName? = nil, prefix: String = "", limit: Int, ranges: [NameRange] = [.all],
    isListed: @escaping @Sendable (ResourceName) -> Bool = { _ in true }
  ) {
    self.after = after
    self.limit = limit
    self.isListed = isListed
    let wanted = NameRange(prefix: prefix)
    self.ranges = NameRange.union(ranges.compactMap { $0.intersection(wanted) })
  }
}

/// A page of the index of clients.
public struct ClientPage: Sendable {
  /// The clients; fewer than the limit, or none, if many others were looked at.
  public var clients: [ClientSummary] = []
  /// The name after which the next page starts; nil if there is none.
  public var next: ResourceName?
}

extension DeltaService {
  /// Lists the clients that have collections, by name.
  ///
  /// A page looks at a bounded number of clients, whether they may be listed or not, so that it costs
  /// nobody else much.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - reply: Called with the page.
  public func clients(_ query: ClientQuery, reply: @escaping ServiceReply<ClientPage>) {
    ClientScan(query, store).resume {
      reply($0.mapError { ServiceFailure(ServiceError($0), current: nil) })
    }
  }
}

/// The making of a page: reads one piece of a range after the other.
private struct ClientScan: Sendable {
  private let query: ClientQuery
  private let store: any CollectionStore
  private var ranges: ArraySlice<NameRange>
  private var page = ClientPage()
  /// The name after which the next piece starts.
  private var position: ResourceName?
  /// How many more clients may be looked at.
  private var budget: Int

  /// The most clients that a page looks at, unless it lists more.
  private static let scannedMax = 1000
  /// The clients that are read at once, unless more are wanted.
  private static let pieceMin = 100
  /// What a range costs, however few clients are in it, as a number of clients.
  private static let rangeCost = 16

  init(_ query: ClientQuery, _ store: any CollectionStore) {
    (self.query, self.store, position) = (query, store, query.after)
    ranges = query.ranges[...]
    budget = max(Self.scannedMax, query.limit + 1)
  }

  func resume(_ reply: @escaping StoreCompletion<ClientPage>) {
    var scan = self
    while let range = scan.ranges.first, scan.position.map(range.ends) ?? false {
      scan.ranges.removeFirst()
    }
    guard let range = scan.ranges.first else { return reply(.success(scan.page)) }
    guard scan.budget > 0 else {
      scan.page.next = scan.position
      return reply(.success(scan.page))
    }
    let count = min(scan.budget, max(Self.pieceMin, query.limit + 1 - scan.page.clients.count))
    store.clients(in: range, after: scan.position, limit: count) { [scan] result in
      switch result {
      case .failure(let error): reply(.failure(error))
      case .success(let found):
        var scan = scan
        scan.add(found, of: count, range)
        if scan.page.next != nil { return reply(.success(scan.page)) }
        scan.resume(reply)
      }
    }
  }

  /// Adds what may be listed, up to the limit.
  private mutating func add(_ found: [ClientSummary], of count: Int, _ range: NameRange) {
    budget -= max(found.count, Self.rangeCost)
    for client in found where query.isListed(client.name) {
      if page.clients.count == query.limit { return page.next = page.clients.last?.name }
      page.clients.append(client)
    }
    position = found.last?.name ?? position
    if found.count < count {
      ranges.removeFirst()
      position = ResourceName(range.last) ?? position
    }
  }
}
