import Synchronization

/// Exports spans to a collector in batches, without ever holding up those who end them.
///
/// The queue is bounded. A span for which there is no room is dropped and counted, as are those of
/// a batch that the collector refuses or does not take in several attempts.
package final class SpanExporter: Sendable {
  package struct Counts: Sendable, Hashable {
    /// Spans that the collector took.
    package var exported = 0
    /// Spans that it did not get.
    package var dropped = 0

    package init(exported: Int = 0, dropped: Int = 0) {
      (self.exported, self.dropped) = (exported, dropped)
    }
  }

  /// Sends a POST with a JSON body; returns `nil` if there is no answer in time.
  package typealias Post = @Sendable (_ body: [UInt8]) async -> PostAnswer?

  private struct State {
    /// Those that were not exported yet; the batch that is being sent comes first.
    var spans: [TraceSpan] = []
    var counts = Counts()
    /// Whether the interval has passed, so that what is queued is sent even if it is no whole batch.
    var isIntervalOver = false
    var isStopping = false
    var task: Task<Void, Never>?
  }

  private let queueSpansMax: Int
  private let batchSpansMax: Int
  private let text: OTLPText
  private let post: Post
  private let sleep: @Sendable (Duration) async -> Void
  private let state = Mutex(State())
  private let (due, isDue) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// The most attempts to send a batch.
  private static let attemptsMax = 3
  /// How long spans wait that are no whole batch.
  private static let interval: Duration = .seconds(5)

  /// Creates an exporter, which sends nothing before ``start(_:)``.
  ///
  /// - Parameters:
  ///   - queueSpansMax: The most spans that have ended and are not exported yet; further ones are dropped.
  ///   - batchSpansMax: The most spans of one request to the collector; so many are exported at once.
  ///   - version: That of the service.
  ///   - sleep: Lets a time pass.
  ///   - post: Sends spans to the collector.
  package init(
    queueSpansMax: Int = 2048, batchSpansMax: Int = 512, version: String,
    sleep: @escaping @Sendable (Duration) async -> Void, post: @escaping Post
  ) {
    (self.queueSpansMax, self.batchSpansMax) = (queueSpansMax, batchSpansMax)
    (self.sleep, self.post) = (sleep, post)
    text = OTLPText(version: version)
  }

  package var counts: Counts { state.withLock { $0.counts } }

  /// Takes a span, or drops it if there is no room; callable from any thread.
  package func append(_ span: TraceSpan) {
    let isBatch = state.withLock { state in
      guard state.spans.count < queueSpansMax, !state.isStopping else {
        state.counts.dropped += 1
        return false
      }
      state.spans.append(span)
      return state.spans.count == batchSpansMax
    }
    if isBatch { isDue.yield() }
  }

  /// Starts to export, and reports why spans of a batch were not; call it once.
  package func start(_ report: @escaping @Sendable (String) -> Void) {
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.tick() }
        for await _ in due { await sendBatches(report) }
        group.cancelAll()
      }
    }
    state.withLock { $0.task = task }
  }

  private func tick() async {
    while !Task.isCancelled {
      await sleep(Self.interval)
      state.withLock { $0.isIntervalOver = true }
      isDue.yield()
    }
  }

  /// Exports what is queued in one attempt for each batch, and stops; what is left at the limit is dropped.
  package func stop(within limit: Duration) async {
    let task = state.withLock { state in
      state.isStopping = true
      return state.task.take()
    }
    isDue.yield()
    isDue.finish()
    if let task {
      let timer = Task {
        try await Task.sleep(for: limit)
        task.cancel()
      }
      await task.value
      timer.cancel()
    }
    state.withLock { state in
      state.counts.dropped += state.spans.count
      state.spans = []
    }
  }
}

extension SpanExporter {
  /// Sends whole batches; what is left, too, once the interval has passed.
  private func sendBatches(_ report: @Sendable (String) -> Void) async {
    while !Task.isCancelled, let batch = nextBatch() {
      let (droppedCount, cause) = await send(batch)
      state.withLock { state in
        state.spans.removeFirst(batch.count)
        state.counts.exported += batch.count - droppedCount
        state.counts.dropped += droppedCount
      }
      if droppedCount > 0 {
        report("\(droppedCount) of \(batch.count) spans were not exported: \(cause)")
      }
    }
  }

  private func nextBatch() -> [TraceSpan]? {
    state.withLock { state in
      let isWhole = state.spans.count >= batchSpansMax
      defer { if !isWhole { state.isIntervalOver = false } }
      guard isWhole || state.isIntervalOver || state.isStopping, !state.spans.isEmpty
      else { return nil }
      return Array(state.spans.prefix(batchSpansMax))
    }
  }

  /// Sends a batch, again if the collector is away or overloaded (OTLP, "Retryable Response Codes").
  ///
  /// - Returns: The number of its spans that the collector did not take, and what it answered.
  private func send(_ batch: [TraceSpan]) async -> (droppedCount: Int, cause: String) {
    let body = text.request(batch)
    var cause = ""
    for attempt in 1...Self.attemptsMax {
      let answer = await post(body)
      cause = PostAnswer.cause(answer)
      switch answer?.status {
      case .some(200...299):
        return (min(batch.count, OTLPText.rejectedCount(answer?.body ?? [])), "rejected")
      case nil, 429, 502, 503, 504: break
      default: return (batch.count, cause)
      }
      guard attempt < Self.attemptsMax, !Task.isCancelled, !state.withLock({ $0.isStopping })
      else { break }
      await sleep(
        PostAnswer.delay(after: attempt, answer, max: .seconds(4), retryAfterMax: .seconds(30)))
    }
    return (batch.count, cause)
  }
}
