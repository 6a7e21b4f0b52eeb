import Dispatch
import SnapshotJSON
import Synchronization

/// Queues that read bodies and prepare large writes, so that no shard is blocked meanwhile.
///
/// A parsed body, and a collection that is rebuilt, take several times as much memory as the text,
/// until the request is answered. So at any time only ``ServiceLimits/parsedBytesMax`` bytes are
/// worked on and not answered yet; other requests wait as text. Large requests wait in a line of
/// their own, so that small ones need not wait for them.
final class ParseWorkers: Sendable {
  /// Work on more bytes than this is large.
  private static let smallBytesMax = 1 << 20

  private let small: ParseLine
  private let large: ParseLine
  /// These make answers to readers of large collections; they have no line.
  private let answering: [ParseWorker]

  init(limits: ServiceLimits) {
    small = ParseLine(workers: 2, limits)
    large = ParseLine(workers: 1, limits)
    answering = (0..<2).map { ParseWorker(index: $0, limits: limits) }
  }

  /// Makes an answer on a worker: on the same one for all collections of a shard, so that what many
  /// ask for is made once.
  func answer(ofShard index: Int, _ work: @escaping @Sendable (JSONReader) -> Void) {
    answering[index % answering.count].perform { reader, _ in work(reader) }
  }

  /// Runs work with a reader on a worker's queue, when its turn has come.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes are worked on.
  ///   - work: Does it. Whoever keeps what was made keeps the ticket with it.
  func perform(
    _ byteCount: Int, _ work: @escaping @Sendable (JSONReader, ServiceLimits, ParseTicket) -> Void
  ) {
    line(byteCount).perform(byteCount, work)
  }

  /// A ticket for working elsewhere and at once; nil when the work must wait for its turn.
  func ticket(_ byteCount: Int) -> ParseTicket? { line(byteCount).ticket(byteCount) }

  private func line(_ byteCount: Int) -> ParseLine {
    byteCount <= Self.smallBytesMax ? small : large
  }
}

/// Stands for bytes that are worked on, until the request is answered.
final class ParseTicket: Sendable {
  fileprivate let byteCount: Int
  private let line: ParseLine

  fileprivate init(_ byteCount: Int, _ line: ParseLine) {
    self.byteCount = byteCount
    self.line = line
  }

  deinit { line.release(byteCount) }
}

/// Bodies that are read in the order they came, and no more at a time than there is room for.
private final class ParseLine: Sendable {
  typealias Work = @Sendable (JSONReader, ServiceLimits, ParseTicket) -> Void

  private struct State {
    /// The bytes of bodies that have tickets.
    var byteCount = 0
    var waiting: [(byteCount: Int, work: Work)] = []
  }

  private let workers: [ParseWorker]
  private let next = Atomic<Int>(0)
  private let byteCountMax: Int
  private let state = Mutex(State())

  init(workers count: Int, _ limits: ServiceLimits) {
    workers = (0..<count).map { ParseWorker(index: $0, limits: limits) }
    byteCountMax = limits.parsedBytesMax
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

  /// A body that is larger than all the room has it for itself.
  private func hasRoom(for byteCount: Int, _ state: borrowing State) -> Bool {
    state.byteCount == 0 || state.byteCount + byteCount <= byteCountMax
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
