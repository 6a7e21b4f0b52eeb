import CollectionService
import HTTP1
import Telemetry
import VersionedCollections

extension MetricsText.Format {
  /// The format that a request prefers: OpenMetrics only if it is named and no less wanted.
  init(_ request: HTTPRequest) {
    let ranges = request.mediaRanges
    func quality(_ type: String) -> Int {
      ranges.filter { $0.precision == 2 && $0.matches(type) }.map(\.quality).max() ?? 0
    }
    let open = quality("application/openmetrics-text")
    self = open > 0 && open >= quality("text/plain") ? .openMetrics : .prometheus
  }
}

extension MetricsText {
  /// Adds what a server knows of itself.
  mutating func add(version: String, suppressedMessageCount: Int, connectionCount: Int) {
    metric("build_info", "gauge", "The version of the program; always 1.")
    value("build_info", 1, labels: "version=\"\(version)\"")
    counter(
      "messages_suppressed_total",
      "Messages that were too many to be logged, or could not be written.",
      suppressedMessageCount)
    gauge("connections", "Open connections of clients.", connectionCount)
  }

  /// Adds the faults of the service and its store.
  mutating func add(_ faults: FaultLog) {
    metric("faults_total", "counter", "What went wrong inside the service and its store, by kind.")
    for kind in Fault.Kind.allCases {
      value("faults_total", faults.count(of: kind), labels: "kind=\"\(kind.rawValue)\"")
    }
  }

  /// Adds what was pushed; zero without a webhook.
  mutating func add(_ webhook: WebhookSender?) {
    let counts = webhook?.counts ?? WebhookSender.Counts()
    counter(
      "webhook_deliveries_total", "Deliveries of changes that the webhook accepted.",
      counts.accepted)
    counter(
      "webhook_failed_attempts_total", "Attempts of deliveries that it did not accept.",
      counts.failedAttempts)
    counter(
      "webhook_dead_letters_total", "Deliveries that were given up.", counts.deadLetters)
  }

  /// Adds what became of spans; zero without an exporter.
  mutating func add(_ exporter: SpanExporter?) {
    let counts = exporter?.counts ?? SpanExporter.Counts()
    counter(
      "trace_spans_exported_total", "Spans that the collector took.", counts.exported)
    counter(
      "trace_spans_dropped_total", "Spans that were dropped instead of exported.", counts.dropped)
  }
}
