package import Dispatch

/// Where work is done later: on a queue of Dispatch, or by a simulation in its one thread.
package enum WorkQueue: Sendable {
  case dispatch(DispatchQueue)
  case simulated(SimulatedQueue)

  /// What a simulation does instead of a queue.
  package final class SimulatedQueue: Sendable {
    fileprivate let async: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
    fileprivate let isCurrent: @Sendable () -> Bool

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - async: Has work done later, after what has come before.
    ///   - isCurrent: Returns whether work of the queue is being done.
    package init(
      async: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void,
      isCurrent: @escaping @Sendable () -> Bool
    ) {
      (self.async, self.isCurrent) = (async, isCurrent)
    }
  }

  /// Creates the queues of a service, by their labels; those that are concurrent may do several things at a time.
  package typealias Maker = @Sendable (_ label: String, _ isConcurrent: Bool) -> WorkQueue

  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates a queue of Dispatch.
  package static func system(_ label: String, _ isConcurrent: Bool) -> WorkQueue {
    let queue = DispatchQueue(label: label, attributes: isConcurrent ? .concurrent : [])
    queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    return .dispatch(queue)
  }

  /// Does work later.
  package func async(_ work: @escaping @Sendable () -> Void) {
    switch self {
    case .dispatch(let queue): queue.async(execute: work)
    case .simulated(let queue): queue.async(work)
    }
  }

  /// Does work after what has come before, and waits for it; for tests.
  func sync<Value>(_ work: () -> Value) -> Value {
    switch self {
    case .dispatch(let queue): queue.sync(execute: work)
    case .simulated: work()
    }
  }

  /// Whether the caller is work of this queue.
  package var isCurrent: Bool {
    switch self {
    case .dispatch(let queue):
      DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue)
    case .simulated(let queue): queue.isCurrent()
    }
  }
}
