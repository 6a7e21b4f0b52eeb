/// A span of a trace, as it is exported.
package struct TraceSpan: Sendable {
  /// What a span stands for; the raw value is its number in OTLP.
  package enum Kind: Int, Sendable {
    /// The service's answer to a request.
    case server = 2
    /// A request to another service.
    case client = 3
  }

  package enum Value: Sendable {
    case text(String)
    case number(Int)
  }

  /// Where it is in its trace.
  package var context: TraceContext
  /// The span that it is a child of; `nil` for the first of a trace.
  package var parent: TraceContext?
  /// What it stands for.
  package var kind: Kind
  package var name: String
  /// When it began, in nanoseconds since 1970.
  package var start: Int
  /// When it ended, in nanoseconds since 1970.
  package var end: Int
  /// What is known of it, each name once.
  package var attributes: [(name: String, value: Value)] = []
  package var hasFailed = false

  /// Creates a span without attributes that has not failed.
  package init(
    _ context: TraceContext, childOf parent: TraceContext?, _ kind: Kind, _ name: String,
    from start: Int, to end: Int
  ) {
    (self.context, self.parent, self.kind, self.name) = (context, parent, kind, name)
    (self.start, self.end) = (start, end)
  }
}
