import Dispatch
import Synchronization

extension DeltaService {
  /// The approximate size of cached answers, in bytes.
  public var cachedBytes: Int { answers.byteCount }

  /// What the store counts; nil if it counts nothing.
  public var storeStatistics: StoreStatistics? { store.statistics }

  /// Determines how long the oldest of the requests that wait now has waited; zero if none waits.
  ///
  /// - Parameter completion: Called once, on any thread.
  public func oldestWait(_ completion: @escaping @Sendable (Duration) -> Void) {
    let oldest = OldestWait()
    let group = DispatchGroup()
    for shard in shards {
      group.enter()
      shard.queue.async {
        let now = shard.context.time.uptime()
        for waiter in shard.waiters.all {
          if let start = waiter.parkedTime?.startTime { oldest.note(now - start) }
        }
        group.leave()
      }
    }
    group.notify(queue: .global()) { completion(oldest.duration) }
  }
}

/// The maximum of some durations.
private final class OldestWait: Sendable {
  private let value = Mutex(Duration.zero)

  var duration: Duration { value.withLock(\.self) }

  func note(_ duration: Duration) { value.withLock { $0 = max($0, duration) } }
}
