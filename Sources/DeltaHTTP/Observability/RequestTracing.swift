import CollectionService
import HTTP1
import SocketServer
package import Telemetry
import VersionedCollections

/// Which requests are traced, and where their spans go.
package struct TraceConfiguration: Sendable {
  /// Exports the spans; started and stopped with the server.
  package var exporter: SpanExporter
  /// The share of the requests without a `traceparent` that are traced, from 0 to 1.
  ///
  /// A request with one is traced if its sampled flag is set.
  package var ratio: Double

  /// Creates a configuration.
  package init(_ exporter: SpanExporter, ratio: Double) {
    (self.exporter, self.ratio) = (exporter, ratio)
  }
}

/// Decides which requests are traced, and begins their traces.
///
/// A request that is not traced costs a comparison: nothing is created or measured for it.
final class RequestTracing: Sendable {
  private let exporter: SpanExporter
  private let numbers = UniqueNumbers()
  private let time: TimeSource
  /// Requests without a parent whose number is not above it are traced.
  let numberMax: UInt64

  init(_ configuration: TraceConfiguration, _ time: TimeSource) {
    exporter = configuration.exporter
    self.time = time
    let ratio = min(max(configuration.ratio, 0), 1)
    numberMax = UInt64(exactly: (ratio * 0x1p64).rounded()) ?? .max
  }

  /// Begins the trace of a request; `nil` if it is not traced, in which case its age is not asked for.
  func begin(
    _ request: HTTPRequest, _ parent: TraceContext?, _ number: UInt64,
    _ age: @autoclosure () -> RequestAge?, _ now: Duration
  ) -> RequestTrace? {
    guard parent?.isSampled ?? (number <= numberMax) else { return nil }
    let stages = RequestStages(time)
    let age = age()
    let start = age.map { now - $0.sinceBegun } ?? now
    if let age {
      if let time = age.sinceAccepted { stages.note(.accept, from: now - time, to: start) }
      stages.note(.read, from: start, to: now)
    }
    return RequestTrace(
      exporter, numbers, childOf: parent.map { SpanPosition($0, state: request.tracestate) },
      start: start, epoch: time.nanoseconds() - now.nanoseconds, stages)
  }
}

extension HTTPRequest {
  /// The value of `tracestate`; several fields are one list (W3C Trace Context, §3.3).
  fileprivate var tracestate: String? {
    let values = fields("tracestate").map { String(decoding: $0, as: UTF8.self) }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
