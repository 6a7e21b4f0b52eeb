import Synchronization
import Telemetry
import TestSupport
import Testing

/// The export of spans in batches.
@Suite(.timeLimit(.minutes(10))) struct SpanExporterTests {
  private let clock = ManualClock()
  private let collector = ScriptedCollector()
  private let reports = Reports()

  private final class Reports: Sendable {
    let texts = Mutex<[String]>([])
  }

  private func exporter(queue: Int = 100, batch: Int = 10) -> SpanExporter {
    let exporter = SpanExporter(
      queueSpansMax: queue, batchSpansMax: batch, version: "1.2.3",
      sleep: { [clock] in try? await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil)
      },
      post: { [collector] in await collector.take($0) })
    exporter.start { [reports] text in reports.texts.withLock { $0.append(text) } }
    return exporter
  }

  private func end(_ count: Int, _ exporter: SpanExporter) {
    let numbers = UniqueNumbers()
    for number in 0..<count {
      let context = TraceContext(childOf: nil, span: numbers.next())
      exporter.append(TraceSpan(context, childOf: nil, .client, "span \(number)", from: 0, to: 1))
    }
  }

  /// Lets time pass until something is so.
  private func ticking(until isSo: () -> Bool) async throws {
    try await until {
      clock.advance(by: .seconds(1))
      return isSo()
    }
  }

  @Test func `spans are exported when their batch is full, or when the interval has passed`()
    async throws
  {
    let exporter = exporter()
    end(13, exporter)
    try await until { exporter.counts.exported == 10 }
    end(1, exporter)
    #expect(collector.batches.map(\.count) == [10])
    try await ticking { exporter.counts.exported == 14 }
    #expect(collector.batches.map(\.count) == [10, 4])
    await exporter.stop(within: .seconds(60))
    #expect(exporter.counts == SpanExporter.Counts(exported: 14, dropped: 0))
  }

  @Test func `a collector that hangs costs the spans beyond the queue, which are counted`()
    async throws
  {
    collector.answer(.silence)
    let exporter = exporter(queue: 30)
    end(10, exporter)
    try await until { collector.batches.count == 1 }
    end(100, exporter)
    #expect(exporter.counts.dropped == 80)
    await exporter.stop(within: .milliseconds(10))
    #expect(exporter.counts == SpanExporter.Counts(exported: 0, dropped: 110))
    end(1, exporter)
    #expect(exporter.counts.dropped == 111)
  }

  @Test func `a collector that is away is asked three times for each batch`() async throws {
    collector.answer(.nothing)
    let exporter = exporter()
    end(10, exporter)
    try await ticking { exporter.counts.dropped == 10 }
    let told = "10 of 10 spans were not exported: no answer"
    try await until { reports.texts.withLock { $0 == [told] } }
    #expect(collector.batches.count == 3)
    collector.answer(.status(503))
    end(10, exporter)
    try await until { collector.batches.count == 4 }
    collector.answer(.status(200))
    try await ticking { exporter.counts.exported == 10 }
    #expect(
      collector.batches.suffix(2).map { $0 } == Array(repeating: collector.batches[3], count: 2))
    await exporter.stop(within: .seconds(60))
  }

  @Test func `spans that the collector refuses are dropped at once`() async throws {
    let exporter = exporter()
    collector.answer(.status(400))
    end(10, exporter)
    try await until { exporter.counts.dropped == 10 }
    collector.answer(.rejecting(4))
    end(10, exporter)
    try await until { exporter.counts.exported == 6 }
    #expect(exporter.counts.dropped == 14)
    #expect(collector.batches.count == 2)
    await exporter.stop(within: .seconds(60))
  }

  @Test func `what is queued at the end is exported, in one attempt`() async throws {
    let exporter = exporter()
    end(4, exporter)
    await exporter.stop(within: .seconds(60))
    #expect(exporter.counts == SpanExporter.Counts(exported: 4, dropped: 0))
    collector.answer(.nothing)
    let other = self.exporter()
    end(4, other)
    await other.stop(within: .seconds(60))
    #expect(other.counts == SpanExporter.Counts(exported: 0, dropped: 4))
    #expect(collector.batches.count == 2)
  }
}

/// A collector whose answers a test chooses.
final class ScriptedCollector: Sendable {
  enum Reply: Sendable {
    case status(Int)
    /// Takes all but so many spans.
    case rejecting(Int)
    /// There is no connection.
    case nothing
    /// The answer never comes.
    case silence
  }

  private let state = Mutex((reply: Reply.status(200), batches: [[String]]()))

  /// The names of the spans of each request.
  var batches: [[String]] { state.withLock { $0.batches } }

  func answer(_ reply: Reply) { state.withLock { $0.reply = reply } }

  func take(_ body: [UInt8]) async -> PostAnswer? {
    let spans = JSONTree(body)["resourceSpans"][0]["scopeSpans"][0]["spans"].elements
    let reply = state.withLock { state in
      state.batches.append(spans.map { $0["name"].string ?? "" })
      return state.reply
    }
    switch reply {
    case .status(let status): return PostAnswer(status: status)
    case .rejecting(let count):
      let body = #"{"partialSuccess":{"rejectedSpans":"\#(count)"}}"#
      return PostAnswer(status: 200, body: Array(body.utf8))
    case .nothing: return nil
    case .silence:
      await untilCancelled()
      return nil
    }
  }
}
