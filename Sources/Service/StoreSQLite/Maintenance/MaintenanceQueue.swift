import Dispatch

/// Where a store does its background work, one thing after the other: on a queue, or in the one thread of a
/// simulation.
package protocol MaintenanceQueue: Sendable {
  /// Does work after what has come before; it may block.
  func async(_ work: @escaping @Sendable () -> Void)

  func after(seconds: Int, _ work: @escaping @Sendable () -> Void)

  /// Waits for the work that has come.
  func finish()
}

struct SystemMaintenanceQueue: MaintenanceQueue {
  private let queue = DispatchQueue(label: "livedelta.store.maintenance", qos: .utility)

  func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func after(seconds: Int, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds), execute: work)
  }

  func finish() { queue.sync {} }
}
