public import Dispatch

/// Where work runs: a dispatch queue, or anything else that runs closures later.
///
/// No code here depends on which queue it is running on.
public struct WorkQueue: Sendable {
  private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// A queue that passes work to a function, which must not run it before it returns.
  public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.enqueue = enqueue
  }

  /// A dispatch queue.
  public init(_ queue: DispatchQueue) {
    enqueue = { work in queue.async { work() } }
  }

  /// The main queue.
  public static let main = WorkQueue(DispatchQueue.main)

  /// A global queue, shared by all.
  public static let background = WorkQueue(DispatchQueue.global(qos: .userInitiated))

  /// Runs work later, on this queue.
  public func async(_ work: @escaping @Sendable () -> Void) { enqueue(work) }
}

extension WorkQueue {
  /// Runs work later that calls views and delegates; traps if this queue does not run it on the
  /// main actor.
  package func deliver(_ work: @escaping @MainActor @Sendable () -> Void) {
    async { MainActor.assumeIsolated { work() } }
  }
}

/// A queue that a factory can build on.
public protocol FactoryQueue: Sendable {
  /// The queue, as collections use it.
  var workQueue: WorkQueue { get }
}

extension WorkQueue: FactoryQueue {
  /// The queue itself.
  public var workQueue: WorkQueue { self }
}

extension DispatchQueue: FactoryQueue {
  /// The queue, as collections use it.
  public var workQueue: WorkQueue { WorkQueue(self) }
}

/// The queues that a collection works on.
public struct CollectionQueues: Sendable {
  /// Where views and delegates are called; runs one piece of work after another.
  ///
  /// Of a collection that has a view or a delegate, this is the main queue or one that runs its
  /// work there: anything else traps when they are called.
  public var delivery: WorkQueue

  /// Where deltas are calculated; may run several pieces of work at once.
  public var calculation: WorkQueue

  /// A pair of queues.
  public init(delivery: WorkQueue = .main, calculation: WorkQueue = .background) {
    self.delivery = delivery
    self.calculation = calculation
  }

  /// Views on the main queue, calculations on a global one.
  public static let standard = CollectionQueues()
}
