import HTTP1

/// What a server knows of itself.
struct ServerStatistics: Sendable {
  var version: String
  /// Open connections of clients.
  var connectionCount: Int
  /// Bytes held for requests and responses.
  var heldBytes: Int
  /// Messages that were too many to be logged, or could not be written.
  var suppressedMessageCount: Int
}

extension MetricsText {
  mutating func add(_ statistics: ServerStatistics) {
    metric("build_info", "gauge", "The version of the program; always 1.")
    value("build_info", 1, labels: "version=\"\(statistics.version)\"")
    counter(
      "messages_suppressed_total",
      "Messages that were too many to be logged, or could not be written.",
      statistics.suppressedMessageCount)
    gauge("connections", "Open connections of clients.", statistics.connectionCount)
  }
}

extension MetricsText.Format {
  /// The format that a request prefers: OpenMetrics only if it is named and no less wanted.
  init(_ request: HTTPRequest) {
    let ranges = listElements(request.fields("accept")).compactMap { MediaRange($0) }
    func quality(_ type: String) -> Int {
      ranges.filter { $0.precision == 2 && $0.matches(type) }.map(\.quality).max() ?? 0
    }
    let open = quality("application/openmetrics-text")
    self = open > 0 && open >= quality("text/plain") ? .openMetrics : .prometheus
  }
}
