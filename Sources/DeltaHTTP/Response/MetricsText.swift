import CollectionService
import Synchronization

/// Formats metrics in the Prometheus text format.
struct MetricsText {
  private(set) var text = ""

  private mutating func metric(_ name: String, _ type: String, _ help: String) {
    text += "# HELP livedelta_\(name) \(help)\n# TYPE livedelta_\(name) \(type)\n"
  }

  private mutating func value(
    _ name: String, _ number: some CustomStringConvertible, labels: String = ""
  ) {
    let shown = labels.isEmpty ? "" : "{\(labels)}"
    text += "livedelta_\(name)\(shown) \(number)\n"
  }

  private mutating func gauge(_ name: String, _ help: String, _ number: Int) {
    metric(name, "gauge", help)
    value(name, number)
  }

  private mutating func counter(_ name: String, _ help: String, _ number: Int) {
    metric(name, "counter", help)
    value(name, number)
  }

  /// Adds a counter with a number for each value of a label.
  private mutating func counter(
    _ name: String, _ help: String, by label: String, _ numbers: KeyValuePairs<String, Int>
  ) {
    metric(name, "counter", help)
    for (reason, number) in numbers { value(name, number, labels: "\(label)=\"\(reason)\"") }
  }

  /// Adds the counters of the service.
  mutating func add(_ counters: ServiceCounters) {
    gauge("collections", "Collections.", counters.collections.value)
    gauge("resident_collections", "Collections in memory.", counters.residentCollections.value)
    gauge(
      "resident_bytes", "Approximate memory used by resident collections.",
      counters.residentBytes.value)
    counter(
      "collection_loads_total", "Collections loaded from the store.", counters.loads.value)
    counter(
      "unused_removals_total", "Collections removed because nobody used them.",
      counters.unusedRemovals.value)
    counter(
      "damaged_loads_total", "Loads that found a damaged collection.",
      counters.damagedLoads.value)
    counter(
      "failed_commits_total", "Writes that the store failed to commit.",
      counters.failedCommits.value)
    gauge("parked_requests", "Readers waiting for a change.", counters.parked.value)
    counter("versions_total", "Versions committed.", counters.versions.value)
    counter(
      "writes_without_version_total", "Writes that created no version, by reason.", by: "reason",
      [
        "unchanged": counters.unchangedWrites.value, "refused": counters.refusedWrites.value,
      ])
    counter(
      "known_items_total",
      "Snapshot items recognized as unchanged without being parsed.",
      counters.knownItems.value)
    counter("deltas_total", "Deltas computed.", counters.deltas.value)
    counter(
      "delta_refusals_total", "Deltas that the simulator refused: faults.",
      counters.refusedDeltas.value)
    counter("encodings_total", "Answers encoded.", counters.encodings.value)
    counter(
      "resets_total", "Snapshots sent in place of a delta, by reason.", by: "reason",
      [
        "delta-too-large": counters.tooLargeResets.value,
        "history-compacted": counters.compactedResets.value,
        "diverged": counters.divergedResets.value,
        "lineage-changed": counters.lineageResets.value,
      ])
  }

  /// Adds the faults of the service and its store.
  mutating func add(_ faults: FaultLog) {
    metric("faults_total", "counter", "What went wrong inside the service and its store, by kind.")
    for kind in Fault.Kind.allCases {
      value("faults_total", faults.count(of: kind), labels: "kind=\"\(kind.rawValue)\"")
    }
  }

  /// Adds the metrics of requests.
  mutating func add(_ requestLog: RequestLog) {
    let rows = requestLog.metrics.snapshot
    metric("http_requests_total", "counter", "Requests answered, by kind and status.")
    for (kind, row) in rows {
      for (status, count) in row.statuses {
        let labels = "kind=\"\(kind.name)\",status=\"\(status)\""
        value("http_requests_total", count, labels: labels)
      }
    }
    metric(
      "http_request_duration_seconds", "histogram",
      "Time from request to response, waiting excluded.")
    for (kind, row) in rows { add(row, "kind=\"\(kind.name)\"") }
    let streams = requestLog.metrics.streams.load(ordering: .relaxed)
    gauge("streams", "Streams of events that are open.", streams)
    counter(
      "http_repeated_answers_total",
      "Requests answered from an event loop's cache.",
      requestLog.metrics.repeatedCount)
    counter(
      "log_lines_dropped_total",
      "Access log lines dropped because the log was not drained in time.",
      requestLog.log?.droppedCount ?? 0)
  }

  private mutating func add(_ row: RequestMetrics.Row, _ kind: String) {
    let name = "http_request_duration_seconds"
    var sum = 0
    for (end, count) in zip(RequestMetrics.bucketEnds, row.buckets) {
      sum += count
      value(name + "_bucket", sum, labels: "\(kind),le=\"\(Self.seconds(end))\"")
    }
    value(name + "_bucket", row.count, labels: "\(kind),le=\"+Inf\"")
    value(name + "_sum", Self.seconds(row.microseconds), labels: kind)
    value(name + "_count", row.count, labels: kind)
  }

  /// Formats microseconds as seconds, without an exponent.
  private static func seconds(_ microseconds: Int) -> String {
    var fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
    while fraction.count > 1, fraction.last == "0" { fraction = fraction.dropLast() }
    return "\(microseconds / 1_000_000).\(fraction)"
  }
}
