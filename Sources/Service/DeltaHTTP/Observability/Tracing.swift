import HTTP1
import SocketServer
package import Telemetry
package import VersionedCollections

/// Which requests are traced, and where their spans go.
package final class Tracing: Sendable {
  let exporter: SpanExporter
  /// Requests without a parent whose number is not above it are traced; numbers are not zero.
  let numberMax: UInt64
  private let numbers = UniqueNumbers()
  let time: TimeSource

  /// Creates the tracing of a service.
  ///
  /// - Parameters:
  ///   - exporter: Exports the spans; started and stopped with the server.
  ///   - ratio: The share of the requests without a `traceparent` that are traced, from 0 to 1; one with it
  ///     is traced if its sampled flag is set.
  ///   - time: The source of time.
  package init(_ exporter: SpanExporter, ratio: Double, time: TimeSource = .system) {
    self.exporter = exporter
    self.time = time
    let ratio = min(max(ratio, 0), 1)
    numberMax = UInt64(exactly: (ratio * 0x1p64).rounded()) ?? .max
  }

  /// Returns the span of a request, if it is traced.
  func context(_ parent: TraceContext?, _ number: UInt64) -> TraceContext? {
    guard parent?.isSampled ?? (number <= numberMax) else { return nil }
    return TraceContext(childOf: parent, span: number)
  }

  /// Begins the span of a request to another service; `nil` if it is not traced.
  package func begin(_ name: String, of parent: TraceContext? = nil) -> TraceSpan? {
    context(parent, numbers.next()).map {
      let now = Int(time.nanoseconds())
      return TraceSpan($0, childOf: parent, .client, name, from: now, to: now)
    }
  }

  /// Ends the span of a request to another service, if it is traced.
  package func end(_ span: TraceSpan?, hasFailed: Bool) {
    guard var span else { return }
    span.end = max(span.start, Int(time.nanoseconds()))
    span.hasFailed = hasFailed
    exporter.append(span)
  }
}
