import Synchronization
import VersionedCollections

/// Views that cost too much lately, and how long their readers are asked to stay away: twice as long each time.
final class ViewRefusals: Sendable {
  private struct Refusal {
    var seconds: Int
    /// Until when another one follows it.
    var until: Duration
  }

  private static let (secondsMin, secondsMax, countMax) = (5, 300, 1024)

  private let refusals = Mutex<[Int: Refusal]>([:])

  /// Counts a refusal.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - key: The collection.
  ///   - now: The uptime.
  ///   - isNew: Whether it is not the outcome of work that others were refused for.
  /// - Returns: The seconds after which to ask again.
  func refuse(_ view: View, of key: CollectionKey, at now: Duration, isNew: Bool) -> Int {
    let key = Self.key(view, key)
    return refusals.withLock { refusals in
      if refusals.count >= Self.countMax { refusals = refusals.filter { $1.until > now } }
      if refusals.count >= Self.countMax { refusals = [:] }
      let last = refusals[key].flatMap { $0.until > now ? $0.seconds : nil }
      if let last, !isNew { return last }
      let seconds = last.map { min(2 * $0, Self.secondsMax) } ?? Self.secondsMin
      refusals[key] = Refusal(seconds: seconds, until: now + .seconds(4 * seconds))
      return seconds
    }
  }

  /// Forgets the refusals of a view that was answered.
  func forget(_ view: View, of key: CollectionKey) {
    refusals.withLock { refusals in
      if refusals.isEmpty { return }
      refusals[Self.key(view, key)] = nil
    }
  }

  private static func key(_ view: View, _ key: CollectionKey) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(view)
    return hasher.finalize()
  }
}
