import CollectionService
import VersionedCollections

/// Formats metrics as text, for Prometheus or as OpenMetrics 1.0.
struct MetricsText {
  enum Format {
    case prometheus, openMetrics

    var mediaType: String {
      switch self {
      case .prometheus: MediaType.metrics
      case .openMetrics: MediaType.openMetrics
      }
    }
  }

  private(set) var text = ""
  private let format: Format

  init(_ format: Format) { self.format = format }

  mutating func end() {
    if format == .openMetrics { text += "# EOF\n" }
  }

  /// Begins a metric; its name has a prefix unless it is one that all processes have.
  mutating func metric(
    _ name: String, _ type: String, _ help: String, prefix: String = "livedelta_"
  ) {
    // OpenMetrics names the family of a counter without its suffix.
    let isCounter = format == .openMetrics && type == "counter" && name.hasSuffix("_total")
    let family = prefix + (isCounter ? String(name.dropLast("_total".count)) : name)
    text += "# HELP \(family) \(help)\n# TYPE \(family) \(type)\n"
  }

  mutating func value(
    _ name: String, _ number: some CustomStringConvertible, labels: String = "",
    prefix: String = "livedelta_"
  ) {
    text += "\(prefix)\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number)\n"
  }

  mutating func gauge(_ name: String, _ help: String, _ number: some CustomStringConvertible) {
    metric(name, "gauge", help)
    value(name, number)
  }

  mutating func counter(_ name: String, _ help: String, _ number: Int) {
    metric(name, "counter", help)
    value(name, number)
  }

  mutating func add(
    _ name: String, _ type: String, _ help: String, by label: String,
    _ numbers: KeyValuePairs<String, Int>
  ) {
    metric(name, type, help)
    for (word, number) in numbers { value(name, number, labels: "\(label)=\"\(word)\"") }
  }

  mutating func histogram(_ name: String, _ help: String, _ counts: Histogram.Counts) {
    metric(name, "histogram", help)
    add(counts, to: name, labels: "")
  }

  mutating func add(_ counts: Histogram.Counts, to name: String, labels: String) {
    let prefix = labels.isEmpty ? "" : labels + ","
    var sum = 0
    for (end, count) in zip(Histogram.bucketEnds, counts.buckets) {
      sum += count
      value(name + "_bucket", sum, labels: "\(prefix)le=\"\(Self.seconds(end))\"")
    }
    value(name + "_bucket", counts.count, labels: "\(prefix)le=\"+Inf\"")
    value(name + "_sum", Self.seconds(counts.microseconds), labels: labels)
    value(name + "_count", counts.count, labels: labels)
  }

  /// Formats microseconds as seconds, without an exponent.
  static func seconds(_ microseconds: Int) -> String {
    var fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
    while fraction.count > 1, fraction.last == "0" { fraction = fraction.dropLast() }
    return "\(microseconds / 1_000_000).\(fraction)"
  }
}
