@testable import CollectionService
@testable import VersionedCollections

/// The store as a replica reaches it.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class ReplicaStore: CollectionStore, @unchecked Sendable {
  let isShared: Bool
  let keepsContents = true
  var outage: StoreOutage? { link.isReady ? nil : .unavailable }
  private let world: World
  private let link: StoreLink
  /// Tells the replica of what others wrote.
  private(set) var report: @Sendable ([ResourceName]?) -> Void = { _ in }
  weak var replica: Replica?
  /// Tells other replicas which client was written.
  var tellOthers: (ResourceName) -> Void = { _ in }
  /// When a read failed, and none has succeeded since.
  private var unreadSince: Microseconds?
  /// Until when reads failed last.
  private var wasUnreadUntil: Microseconds = .min / 2

  init(_ world: World, _ link: StoreLink, isShared: Bool) {
    (self.world, self.link, self.isShared) = (world, link, isShared)
  }

  var secondsAway: Int? { link.awaySince.map { seconds(since: $0) } }

  func secondsStale(within duration: Duration) -> Int? {
    if let since = link.awaySince ?? unreadSince { return seconds(since: since) }
    let end = max(link.wasAwayUntil, wasUnreadUntil)
    return world.now - end <= Int(duration / .microseconds(1)) ? 0 : nil
  }

  private func seconds(since time: Microseconds) -> Int { (world.now - time) / 1.seconds }

  /// Records whether a read succeeded.
  private func noteRead(_ isRead: Bool) {
    if isRead, unreadSince != nil { wasUnreadUntil = world.now }
    unreadSince = isRead ? nil : unreadSince ?? world.now
  }

  func reportOthers(to report: @escaping @Sendable ([ResourceName]?) -> Void) {
    self.report = report
  }

  func commit(_ transaction: StoreTransaction, completion: @escaping StoreCompletion<Void>) {
    let operation = replica?.operation(of: transaction) ?? -1
    let isAlive = { [weak replica] in replica?.isAlive == true }
    link.commit(transaction, by: operation, while: isAlive) { [self] result in
      if !isShared, case .failure(.conflict) = result { world.blame("a conflict without others") }
      completion(result)
      switch result {
      case .success, .failure(.unknown): if isShared, isAlive() { tellOthers(transaction.client) }
      case .failure: break
      }
    }
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    // All parts are read in one view.
    link.read(
      isList: parts.contains(.summaries), { store in parts.map { store.read($0, of: client) } }
    ) { [self] result in
      switch result {
      case .success(let values):
        noteRead(true)
        completion(values)
      case .failure(let error):
        noteRead(false)
        completion(parts.map { _ in .failure(error) })
      }
    }
  }

  func summaries(
    of clients: [ResourceName],
    completion: @escaping StoreCompletion<[ResourceName: [CollectionSummary]]>
  ) {
    link.read(
      isList: true,
      { store in
        var lists: [ResourceName: [CollectionSummary]] = [:]
        for client in clients { lists[client] = store.summaries(of: client) }
        return lists
      }, completion)
  }

  func feed(
    after number: UInt64?, countMax: Int, completion: @escaping StoreCompletion<StoredFeed>
  ) { link.readFeed(after: number, countMax, completion) }

  func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void
  ) { world.after(1000) { completion(nil) } }

  func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) { world.after(1000) { completion(true) } }
}
