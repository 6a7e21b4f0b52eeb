public import Instrumentation
public import Tracing

/// A tracer whose spans are exported by OTLP.
///
/// It records every span that is started: whoever uses it decides what is traced.
public struct OTLPTracer: Tracer {
  private let exporter: SpanExporter
  private let numbers = UniqueNumbers()

  /// Creates a tracer.
  ///
  /// - Parameter exporter: Takes the spans that have ended.
  public init(_ exporter: SpanExporter) { self.exporter = exporter }

  /// Starts a span: a child of that in the context, if there is one, or the first of a new trace.
  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext,
    ofKind kind: SpanKind, at instant: @autoclosure () -> Instant, function: String,
    file fileID: String, line: UInt
  ) -> RecordedSpan {
    let context = context()
    let parent = context.position
    let position = SpanPosition(
      trace: parent?.trace ?? UInt128(numbers.next()) << 64 | UInt128(numbers.next()),
      span: numbers.next(), state: parent?.state, isRemote: false)
    return RecordedSpan(
      operationName, kind, context, position, parent, start: instant().nanosecondsSinceEpoch,
      onEnd: exporter.append)
  }

  /// Ends nothing: spans are exported when their batch is due.
  public func forceFlush() {}

  /// Reads `traceparent` and `tracestate`; a malformed `traceparent` is as good as none.
  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let field = extractor.extract(key: TraceField.parent, from: carrier),
      let parent = TraceContext(Array(field.utf8)[...])
    else { return }
    let state = extractor.extract(key: TraceField.state, from: carrier)
    context.position = SpanPosition(
      parent, state: state.flatMap { 1...TraceField.stateBytesMax ~= $0.utf8.count ? $0 : nil })
  }

  /// Writes the fields with which the span of a context is continued.
  public func inject<Carrier, Inject: Injector>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let position = context.position else { return }
    injector.inject(position.field, forKey: TraceField.parent, into: &carrier)
    if let state = position.state {
      injector.inject(state, forKey: TraceField.state, into: &carrier)
    }
  }
}
