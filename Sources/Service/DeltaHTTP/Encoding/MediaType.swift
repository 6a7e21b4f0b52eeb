/// The media types of bodies and responses, besides those of dialects.
enum MediaType {
  static let json = "application/json"
  /// The body of a PATCH.
  static let edits = "application/vnd.livedelta.edits+json"
  static let jsonPatch = "application/json-patch+json"
  static let problem = "application/problem+json"
  static let events = "text/event-stream"
  /// A JSON text on each line.
  static let html = "text/html"
  /// The Prometheus text format.
  static let metrics = "text/plain; version=0.0.4"
  /// The same as a standard.
  static let openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"
  /// What `curl -d` sends if no type is given.
  static let form = "application/x-www-form-urlencoded"
}
