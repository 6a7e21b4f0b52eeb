import Dispatch
import Synchronization
public import VersionedCollections

extension DeltaService {
  /// The approximate size of cached answers, in bytes.
  public var cachedBytes: Int { answers.byteCount }

  /// Has the collections of a shared store counted again, unless that was less than ten seconds ago.
  ///
  /// Others create and delete collections too. The counter has the number a moment later.
  public func recountCollections() {
    if store.isShared, recount.begin() { countCollections() }
  }

  /// Has the collections counted.
  ///
  /// The count includes none of the writes that are acknowledged later, unless the store is shared;
  /// then the next count corrects it.
  func countCollections() {
    store.countCollections { [counters] count in
      if let count { counters.collections.set(count) }
    }
  }

  /// What the store counts; nil if it counts nothing.
  public var storeStatistics: StoreStatistics? { store.statistics }

  /// Whether notices of other services over a shared store arrive; nil if that is not known, or there are none.
  public var noticesArrive: Bool? { store.noticesArrive }

  /// How late the feed of changes of a shared store is; nil without one.
  public var feedState: FeedState? { store.feedState }

  /// Determines how long the oldest of the requests that wait now has waited; zero if none waits.
  ///
  /// - Parameter completion: Called once, on any thread.
  public func oldestWait(_ completion: @escaping @Sendable (Duration) -> Void) {
    let oldest = OldestWait()
    let group = DispatchGroup()
    for shard in shards {
      group.enter()
      shard.inspect { machine in
        let now = shard.context.time.uptime()
        if let start = machine.waiters.oldestStart { oldest.record(now - start) }
        group.leave()
      }
    }
    group.notify(queue: .global()) { completion(oldest.duration) }
  }
}

/// When the collections of a shared store were last counted.
final class CollectionRecount: Sendable {
  private let time: TimeSource
  private let last: Mutex<Duration>
  private static let interval = Duration.seconds(10)

  init(_ time: TimeSource) {
    self.time = time
    last = Mutex(time.uptime())
  }

  /// Whether it is time to count again; notes that it is done.
  func begin() -> Bool {
    let now = time.uptime()
    return last.withLock { last in
      guard now - last >= Self.interval else { return false }
      last = now
      return true
    }
  }
}

/// The maximum of some durations.
private final class OldestWait: Sendable {
  private let value = Mutex(Duration.zero)

  var duration: Duration { value.withLock(\.self) }

  func record(_ duration: Duration) { value.withLock { $0 = max($0, duration) } }
}
