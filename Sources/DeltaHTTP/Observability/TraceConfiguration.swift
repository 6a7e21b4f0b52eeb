public import Telemetry
public import Tracing

/// What traces of requests are made with, and where they go.
public struct TraceConfiguration: Sendable {
  /// Starts the spans; only those of requests that are traced.
  public var tracer: any Tracer
  /// The exporter to start and to stop with the server; `nil` if the tracer sees to that itself.
  public var exporter: SpanExporter?
  /// The share of the requests without a `traceparent` that are traced, from 0 to 1.
  ///
  /// A request with one is traced if its sampled flag is set.
  public var ratio: Double

  /// Creates a configuration for any tracer.
  public init(tracer: any Tracer, ratio: Double) {
    (self.tracer, self.ratio) = (tracer, ratio)
  }

  /// Creates a configuration that exports by OTLP.
  public init(_ exporter: SpanExporter, ratio: Double) {
    self.init(tracer: OTLPTracer(exporter), ratio: ratio)
    self.exporter = exporter
  }
}
