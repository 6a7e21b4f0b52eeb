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
    metric("parked_requests", "gauge", "Readers that wait.", [("", counters.parked.value)])
    metric("versions_total", "counter", "Versions committed.", [("", counters.versions.value)])
    metric(
      "writes_without_version_total", "counter", "Writes that made no version, by why.",
      [
        ("{reason=\"unchanged\"}", counters.unchangedWrites.value),
        ("{reason=\"refused\"}", counters.refusedWrites.value),
      ])
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
