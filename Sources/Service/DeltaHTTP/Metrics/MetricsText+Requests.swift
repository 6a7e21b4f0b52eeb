import VersionedCollections

extension MetricsText {
  mutating func add(_ requestLog: RequestLog) {
    let metrics = requestLog.metrics
    addLatencies(metrics)
    metric("answers_total", "counter", "Answers to readers, by dialect and outcome.")
    for (mark, count) in metrics.answers {
      guard let dialect = mark.dialect, let outcome = mark.outcome else { continue }
      value(
        "answers_total", count, labels: "dialect=\"\(dialect.name)\",outcome=\"\(outcome)\"")
    }
    let bytes = metrics.byteCounts
    counter("http_received_bytes_total", "Bytes of bodies received, decoded.", bytes.received)
    counter("http_sent_bytes_total", "Bytes of contents sent.", bytes.sent)
    counter(
      "http_repeated_answers_total", "Requests answered from an event loop's cache.",
      metrics.repeatedCount)
    counter(
      "log_lines_dropped_total",
      "Access log lines dropped because the log was not drained in time.",
      requestLog.log?.droppedCount ?? 0)
  }

  private mutating func addLatencies(_ metrics: RequestMetrics) {
    let rows = metrics.snapshot
    metric("http_requests_total", "counter", "Requests answered, by kind and status.")
    for row in rows {
      for (status, count) in row.statuses {
        value(
          "http_requests_total", count,
          labels: "kind=\"\(row.kind.name)\",status=\"\(status)\"")
      }
    }
    let name = "http_request_duration_seconds"
    metric(name, "histogram", "Time from request to response, waiting excluded.")
    for row in rows {
      add(
        row.latency, to: name,
        labels: "kind=\"\(row.kind.name)\",status_class=\"\(row.statusClass)xx\"")
    }
    metric("http_request_parked_seconds", "histogram", "Time that requests waited for a change.")
    for (kind, counts) in metrics.waitTimes {
      add(counts, to: "http_request_parked_seconds", labels: "kind=\"\(kind.name)\"")
    }
  }
}
