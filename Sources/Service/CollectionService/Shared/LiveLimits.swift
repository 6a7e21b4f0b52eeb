import Synchronization
import VersionedCollections

/// The limits of a service, which may change while it runs.
final class LiveLimits: Sendable {
  private let limits: Mutex<ServiceLimits>

  init(_ limits: ServiceLimits) { self.limits = Mutex(limits) }

  var current: ServiceLimits {
    get { limits.withLock(\.self) }
    set { limits.withLock { $0 = newValue } }
  }
}
