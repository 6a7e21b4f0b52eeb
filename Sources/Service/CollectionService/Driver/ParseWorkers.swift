import SnapshotJSON
import Synchronization
import VersionedCollections

/// Queues that parse bodies and prepare large writes, so that shards are not blocked.
///
/// Until the request is answered, a parsed body and a rebuilt collection take several times the
/// memory of the text. Work in progress is therefore limited to ``ServiceLimits/parsedBytesMax``
/// bytes; other requests wait as text. Large requests have their own line, so that small ones never
/// wait for them.
final class ParseWorkers: Sendable {
  /// The largest work in bytes that goes into the small line.
  private static let smallBytesMax = 1 << 20

  private let small: ParseQueue
  private let large: ParseQueue

  init(limits: LiveLimits, queues: WorkQueue.Maker) {
    small = ParseQueue(workers: 2, limits, queues)
    large = ParseQueue(workers: 1, limits, queues)
  }

  /// Runs work with a reader on a worker's queue when it reaches the front of its line; it must keep its
  /// ticket as long as the result.
  func perform(
    _ byteCount: Int, _ work: @escaping @Sendable (JSONReader, ServiceLimits, ParseTicket) -> Void
  ) {
    line(byteCount).perform(byteCount, work)
  }

  /// Returns a ticket for working elsewhere immediately; nil if the work must wait in line.
  func ticket(_ byteCount: Int) -> ParseTicket? { line(byteCount).ticket(byteCount) }

  private func line(_ byteCount: Int) -> ParseQueue {
    byteCount <= Self.smallBytesMax ? small : large
  }
}

/// A reservation of bytes in progress, released when deallocated.
final class ParseTicket: Sendable {
  fileprivate let byteCount: Int
  private let line: ParseQueue

  fileprivate init(_ byteCount: Int, _ line: ParseQueue) {
    self.byteCount = byteCount
    self.line = line
  }

  deinit { line.release(byteCount) }
}

/// A first-in-first-out line of work with a limit on the bytes in progress.
private final class ParseQueue: Sendable {
  typealias Work = @Sendable (JSONReader, ServiceLimits, ParseTicket) -> Void

  private struct State {
    /// The sum of bytes of all tickets.
    var byteCount = 0
    var waiting: [(byteCount: Int, work: Work)] = []
  }

  private let workers: [ParseWorker]
  private let next = Atomic<Int>(0)
  private let byteCountMax: Int
  private let state = Mutex(State())

  init(workers count: Int, _ limits: LiveLimits, _ queues: WorkQueue.Maker) {
    workers = (0..<count).map { ParseWorker(index: $0, limits: limits, queues) }
    byteCountMax = limits.current.parsedBytesMax
  }

  func ticket(_ byteCount: Int) -> ParseTicket? {
    let isFree = state.withLock { state in
      guard hasRoom(for: byteCount, state) else { return false }
      state.byteCount += byteCount
      return true
    }
    return isFree ? ParseTicket(byteCount, self) : nil
  }

  func perform(_ byteCount: Int, _ work: @escaping Work) {
    state.withLock { $0.waiting.append((byteCount, work)) }
    startWaiting()
  }

  func release(_ byteCount: Int) {
    state.withLock { $0.byteCount -= byteCount }
    startWaiting()
  }

  private func startWaiting() {
    while let (byteCount, work) = takeNext() {
      let ticket = ParseTicket(byteCount, self)
      let turn = next.add(1, ordering: .relaxed).oldValue
      workers[turn % workers.count].perform { work($0, $1, ticket) }
    }
  }

  private func takeNext() -> (byteCount: Int, work: Work)? {
    state.withLock { state in
      guard let first = state.waiting.first, hasRoom(for: first.byteCount, state) else {
        return nil
      }
      state.byteCount += first.byteCount
      return state.waiting.removeFirst()
    }
  }

  /// Work larger than the limit runs alone.
  private func hasRoom(for byteCount: Int, _ state: borrowing State) -> Bool {
    state.byteCount == 0 || state.byteCount + byteCount <= byteCountMax
  }
}

/// A serial queue with its JSON reader.
///
/// `@unchecked Sendable`: the reader is used on the queue only.
private final class ParseWorker: @unchecked Sendable {
  private let queue: WorkQueue
  private let reader: JSONReader
  private let limits: LiveLimits

  init(index: Int, limits: LiveLimits, _ queues: WorkQueue.Maker) {
    queue = queues("livedelta.parse.\(index)", false)
    reader = JSONReader(depthMax: limits.current.depthMax)
    self.limits = limits
  }

  func perform(_ work: @escaping @Sendable (JSONReader, ServiceLimits) -> Void) {
    queue.async { work(self.reader, self.limits.current) }
  }
}
