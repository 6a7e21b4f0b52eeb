/// The media types of bodies and responses, beside those of dialects and languages of edits.
enum MediaType {
  static let json = "application/json"
  static let jsonPatch = "application/json-patch+json"
  static let mergePatch = "application/merge-patch+json"
  static let problem = "application/problem+json"
  static let events = "text/event-stream"
  static let html = "text/html"
  /// The text format of Prometheus.
  static let metrics = "text/plain; version=0.0.4"
  /// What `curl -d` sends when no type is given.
  static let form = "application/x-www-form-urlencoded"
}
