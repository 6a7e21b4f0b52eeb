public import Instrumentation
import Synchronization
public import Tracing

/// A span that is exported when it ends.
public final class RecordedSpan: Tracing.Span {
  let position: SpanPosition
  let parent: SpanPosition?
  let kind: SpanKind
  /// Nanoseconds since 1970.
  let start: UInt64
  private let outerContext: InstrumentationContext
  /// Called once, with the span, when it ends.
  private let onEnd: @Sendable (RecordedSpan) -> Void
  private let state: Mutex<State>

  /// What may change until the span has ended.
  struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var hasFailed = false
    /// Nanoseconds since 1970; `nil` while the span has not ended.
    var end: UInt64?
  }

  init(
    _ name: String, _ kind: SpanKind, _ context: InstrumentationContext, _ position: SpanPosition,
    _ parent: SpanPosition?, start: UInt64,
    onEnd: @escaping @Sendable (RecordedSpan) -> Void
  ) {
    (self.position, self.parent, self.kind) = (position, parent, kind)
    (self.start, self.onEnd) = (start, onEnd)
    outerContext = context
    state = Mutex(State(name: name))
  }

  /// The context of its children.
  public var context: InstrumentationContext {
    var context = outerContext
    context.position = position
    return context
  }

  /// What is known of it now.
  var current: State { state.withLock { $0 } }

  /// Changes what is known of it, unless it has ended.
  private func change(_ change: (inout State) -> Void) {
    state.withLock { if $0.end == nil { change(&$0) } }
  }

  /// The name of the span.
  public var operationName: String {
    get { state.withLock { $0.name } }
    set { change { $0.name = newValue } }
  }

  /// What is known of it.
  public var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { change { $0.attributes = newValue } }
  }

  /// Whether it has not ended.
  public var isRecording: Bool { state.withLock { $0.end == nil } }

  /// Sets whether what it stands for succeeded.
  public func setStatus(_ status: SpanStatus) {
    change { $0.hasFailed = status.code == .error }
  }

  /// Does nothing: no events are exported.
  public func addEvent(_ event: SpanEvent) {}

  /// Does nothing: no links are exported.
  public func addLink(_ link: SpanLink) {}

  /// Marks the span as failed; the text of an error may quote what its user sent, and is left out.
  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    setStatus(SpanStatus(code: .error))
  }

  /// Ends the span, once.
  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let end = instant().nanosecondsSinceEpoch
    let isFirst = state.withLock { state in
      defer { state.end = state.end ?? end }
      return state.end == nil
    }
    if isFirst { onEnd(self) }
  }
}
