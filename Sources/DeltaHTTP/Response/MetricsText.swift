import CollectionService

/// What the service counted, in the text format of Prometheus.
enum MetricsText {
  static func text(_ counters: ServiceCounters) -> String {
    var text = ""
    func metric(_ name: String, _ type: String, _ help: String, _ values: [(String, Int)]) {
      text += "# HELP livedelta_\(name) \(help)\n# TYPE livedelta_\(name) \(type)\n"
      for (labels, value) in values { text += "livedelta_\(name)\(labels) \(value)\n" }
    }
    metric("collections", "gauge", "Collections.", [("", counters.collections.value)])
    metric(
      "resident_collections", "gauge", "Collections in memory.",
      [("", counters.residentCollections.value)])
    metric(
      "resident_bytes", "gauge", "About how much memory those take.",
      [("", counters.residentBytes.value)])
    metric(
      "collection_loads_total", "counter", "Collections brought back from the store.",
      [("", counters.loads.value)])
    metric(
      "damaged_loads_total", "counter", "Collections that were found to be damaged on that way.",
      [("", counters.damagedLoads.value)])
    metric(
      "failed_commits_total", "counter", "Writes that the store did not carry out.",
      [("", counters.failedCommits.value)])
    metric("parked_requests", "gauge", "Readers that wait.", [("", counters.parked.value)])
    metric("versions_total", "counter", "Versions committed.", [("", counters.versions.value)])
    metric(
      "writes_without_version_total", "counter", "Writes that made no version, by why.",
      [
        ("{reason=\"unchanged\"}", counters.unchangedWrites.value),
        ("{reason=\"refused\"}", counters.refusedWrites.value),
      ])
    metric(
      "known_items_total", "counter",
      "Items of snapshots that were those of the version before, byte for byte, and not read.",
      [("", counters.knownItems.value)])
    metric("deltas_total", "counter", "Deltas computed.", [("", counters.deltas.value)])
    metric(
      "delta_refusals_total", "counter", "Deltas that the simulator refused: faults.",
      [("", counters.refusedDeltas.value)])
    metric("encodings_total", "counter", "Answers encoded.", [("", counters.encodings.value)])
    metric(
      "resets_total", "counter", "Snapshots sent for want of a delta, by why.",
      [
        ("{reason=\"delta-too-large\"}", counters.tooLargeResets.value),
        ("{reason=\"history-compacted\"}", counters.compactedResets.value),
        ("{reason=\"diverged\"}", counters.divergedResets.value),
        ("{reason=\"lineage-changed\"}", counters.lineageResets.value),
      ])
    return text
  }
}

extension MetricsText {
  /// The faults of the service and its store.
  static func text(_ faults: FaultLog) -> String {
    var text = """
      # HELP livedelta_faults_total What went wrong inside the service and its store, by kind.
      # TYPE livedelta_faults_total counter

      """
    for kind in Fault.Kind.allCases {
      text += "livedelta_faults_total{kind=\"\(kind.rawValue)\"} \(faults.count(of: kind))\n"
    }
    return text
  }

  /// What was noted of requests.
  static func text(_ requestLog: RequestLog) -> String {
    let rows = requestLog.metrics.snapshot
    var text = """
      # HELP livedelta_http_requests_total Requests answered, by kind and status.
      # TYPE livedelta_http_requests_total counter

      """
    for (kind, row) in rows {
      for (status, count) in row.statuses.sorted(by: { $0.key < $1.key }) {
        text +=
          "livedelta_http_requests_total{kind=\"\(kind.rawValue)\",status=\"\(status)\"} \(count)\n"
      }
    }
    text += """
      # HELP livedelta_http_request_duration_seconds From the request to its answer, without the time it was parked.
      # TYPE livedelta_http_request_duration_seconds histogram

      """
    for (kind, row) in rows { text += histogram(kind.rawValue, row) }
    text += """
      # HELP livedelta_log_lines_dropped_total Lines of the access log that nobody took in time.
      # TYPE livedelta_log_lines_dropped_total counter
      livedelta_log_lines_dropped_total \(requestLog.log?.droppedCount ?? 0)

      """
    return text
  }

  private static func histogram(_ kind: String, _ row: RequestMetrics.Row) -> String {
    let name = "livedelta_http_request_duration_seconds"
    var text = ""
    var sum = 0
    for (end, count) in zip(RequestMetrics.bucketEnds, row.buckets) {
      sum += count
      text += "\(name)_bucket{kind=\"\(kind)\",le=\"\(seconds(end))\"} \(sum)\n"
    }
    text += "\(name)_bucket{kind=\"\(kind)\",le=\"+Inf\"} \(row.count)\n"
    text += "\(name)_sum{kind=\"\(kind)\"} \(seconds(row.microseconds))\n"
    text += "\(name)_count{kind=\"\(kind)\"} \(row.count)\n"
    return text
  }

  /// Microseconds in seconds, without an exponent.
  private static func seconds(_ microseconds: Int) -> String {
    var fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
    while fraction.count > 1, fraction.last == "0" { fraction = fraction.dropLast() }
    return "\(microseconds / 1_000_000).\(fraction)"
  }
}
