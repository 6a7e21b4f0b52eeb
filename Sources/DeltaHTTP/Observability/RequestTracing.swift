import CollectionService
import HTTP1
import Instrumentation
import SocketServer
import Telemetry
import Tracing
import VersionedCollections

/// Decides which requests are traced, and begins their traces.
///
/// A request that is not traced costs a comparison: nothing is created or measured for it.
final class RequestTracing: Sendable {
  private let tracer: any Tracer
  private let time: TimeSource
  /// Requests without a parent whose number is not above it are traced.
  let numberMax: UInt64

  init(_ configuration: TraceConfiguration, _ time: TimeSource) {
    tracer = configuration.tracer
    self.time = time
    let ratio = min(max(configuration.ratio, 0), 1)
    numberMax = UInt64(exactly: (ratio * 0x1p64).rounded()) ?? .max
  }

  /// Begins the trace of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parent: The caller's span.
  ///   - number: The number of the request.
  ///   - age: Returns how long ago it came; called only if it is traced.
  ///   - now: The time.
  /// - Returns: The trace; `nil` if the request is not traced.
  func begin(
    _ request: HTTPRequest, _ parent: TraceContext?, _ number: UInt64,
    _ age: @autoclosure () -> RequestAge?, _ now: Duration
  ) -> RequestTrace? {
    guard parent?.isSampled ?? (number <= numberMax) else { return nil }
    var context = InstrumentationContext.topLevel
    if parent != nil { tracer.extract(request, into: &context, using: FieldReader()) }
    let uptime = now.components.seconds * 1_000_000_000 + now.components.attoseconds / 1_000_000_000
    let stages = RequestStages(time)
    let age = age()
    let start = age.map { now - $0.sinceBegun } ?? now
    if let age {
      if let time = age.sinceAccepted { stages.note(.accept, from: now - time, to: start) }
      stages.note(.read, from: start, to: now)
    }
    return RequestTrace(
      tracer, request.method, context, start: start, epoch: time.nanoseconds() - uptime,
      stages)
  }
}

/// Reads the fields of a trace from a request.
private struct FieldReader: Extractor {
  func extract(key: String, from request: HTTPRequest) -> String? {
    switch key {
    case "traceparent": request.field("traceparent").map { String(decoding: $0, as: UTF8.self) }
    case "tracestate": state(request)
    default: nil
    }
  }

  /// §3.3: several fields are one list.
  private func state(_ request: HTTPRequest) -> String? {
    let values = request.fields("tracestate").map { String(decoding: $0, as: UTF8.self) }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
