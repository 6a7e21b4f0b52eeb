public import Instrumentation
import Synchronization
public import Tracing

/// A span that is exported when it ends.
public final class RecordedSpan: Tracing.Span {
  /// The context of its children.
  public let context: InstrumentationContext
  private let exporter: SpanExporter
  private let state: Mutex<State>

  private struct State {
    var span: FinishedSpan
    var attributes: SpanAttributes = [:]
    var hasEnded = false
  }

  init(
    _ name: String, _ kind: SpanKind, _ context: InstrumentationContext, start: UInt64,
    _ exporter: SpanExporter
  ) {
    let parent = context.position
    let position = SpanPosition(
      trace: parent?.trace ?? randomDigits() + randomDigits(), span: randomDigits(),
      state: parent?.state, isRemote: false)
    var context = context
    context.position = position
    self.context = context
    self.exporter = exporter
    state = Mutex(
      State(span: FinishedSpan(name: name, kind: kind, position, parent, start: start)))
  }

  /// The name of the span.
  public var operationName: String {
    get { state.withLock { $0.span.name } }
    set { state.withLock { $0.span.name = newValue } }
  }

  /// What is known of it.
  public var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }

  /// Whether it has not ended.
  public var isRecording: Bool { state.withLock { !$0.hasEnded } }

  /// Sets whether what it stands for succeeded.
  public func setStatus(_ status: SpanStatus) {
    state.withLock { $0.span.hasFailed = status.code == .error }
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
    let finished = state.withLock { state -> FinishedSpan? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      state.span.end = end
      var attributes: [(name: String, value: FinishedSpan.Value)] = []
      state.attributes.forEach { attributes.append(($0, FinishedSpan.Value($1))) }
      state.span.attributes = attributes
      return state.span
    }
    if let finished { exporter.append(finished) }
  }
}

/// A span to export.
struct FinishedSpan: Sendable {
  /// The value of an attribute.
  enum Value: Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)

    init(_ attribute: SpanAttribute) {
      switch attribute {
      case .string(let text): self = .text(text)
      case .int32(let number): self = .number(Int(number))
      case .int64(let number): self = .number(Int(number))
      case .bool(let flag): self = .flag(flag)
      case .stringConvertible(let value): self = .text("\(value)")
      default: self = .text("\(attribute)")
      }
    }
  }

  var name: String
  var kind: SpanKind
  var position: SpanPosition
  var parent: SpanPosition?
  /// Nanoseconds since 1970, as ``end``.
  var start: UInt64
  var end: UInt64
  var hasFailed = false
  var attributes: [(name: String, value: Value)] = []

  init(
    name: String, kind: SpanKind, _ position: SpanPosition, _ parent: SpanPosition?, start: UInt64
  ) {
    (self.name, self.kind, self.position, self.parent) = (name, kind, position, parent)
    (self.start, end) = (start, start)
  }
}

/// 16 hexadecimal digits that are not all zero.
private func randomDigits() -> String {
  let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
  return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}
