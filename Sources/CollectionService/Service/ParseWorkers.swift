import Dispatch
import SnapshotJSON
import Synchronization

/// Queues that read large bodies, so that no shard stands still meanwhile.
final class ParseWorkers: Sendable {
  private let workers: [ParseWorker]
  private let next = Atomic<Int>(0)

  init(limits: ServiceLimits) {
    workers = (0..<2).map { ParseWorker(index: $0, limits: limits) }
  }

  /// Runs work with a reader, on a worker's queue.
  func perform(_ work: @escaping @Sendable (JSONReader, ServiceLimits) -> Void) {
    let turn = next.add(1, ordering: .relaxed).oldValue
    workers[turn % workers.count].perform(work)
  }
}

/// A queue with its reader.
///
/// `@unchecked Sendable`: the reader is touched on the queue only.
private final class ParseWorker: @unchecked Sendable {
  private let queue: DispatchQueue
  private let reader: JSONReader
  private let limits: ServiceLimits

  init(index: Int, limits: ServiceLimits) {
    queue = DispatchQueue(label: "livedelta.parse.\(index)")
    reader = JSONReader(depthMax: limits.depthMax)
    self.limits = limits
  }

  func perform(_ work: @escaping @Sendable (JSONReader, ServiceLimits) -> Void) {
    queue.async { work(self.reader, self.limits) }
  }
}
