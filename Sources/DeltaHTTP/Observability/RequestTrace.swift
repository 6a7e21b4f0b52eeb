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

/// Decides which requests are traced, and exports their spans.
///
/// A request that is not traced costs a comparison: nothing is created or measured for it.
final class RequestTracing: Sendable {
  private let exporter: SpanExporter
  private let numbers = UniqueNumbers()
  fileprivate let time: TimeSource
  /// Requests without a parent whose number is not above it are traced.
  let numberMax: UInt64

  init(_ configuration: TraceConfiguration, _ time: TimeSource) {
    exporter = configuration.exporter
    self.time = time
    let ratio = min(max(configuration.ratio, 0), 1)
    numberMax = UInt64(exactly: (ratio * 0x1p64).rounded()) ?? .max
  }

  /// Begins the trace of a request; `nil` if it is not traced.
  func begin(_ request: HTTPRequest, _ parent: TraceContext?, _ number: UInt64) -> RequestTrace? {
    guard parent?.isSampled ?? (number <= numberMax) else { return nil }
    let parent = parent.map { SpanPosition($0, state: request.tracestate) }
    return RequestTrace(
      tracing: self, position: SpanPosition(childOf: parent, numbers), parent: parent)
  }

  fileprivate func child(of position: SpanPosition) -> SpanPosition {
    SpanPosition(childOf: position, numbers)
  }

  /// Exports a span that began at an uptime and ends now.
  fileprivate func export(
    _ position: SpanPosition, childOf parent: SpanPosition?, _ kind: TraceSpan.Kind,
    _ name: String, since start: Duration, hasFailed: Bool = false,
    _ attributes: [(name: String, value: TraceSpan.Value)] = []
  ) {
    let end = Int(max(0, time.nanoseconds()))
    let duration = max(0, (time.uptime() - start).nanoseconds)
    var span = TraceSpan(
      position, childOf: parent, kind, name, from: max(0, end - duration), to: end)
    span.attributes = attributes
    span.hasFailed = hasFailed
    exporter.append(span)
  }
}

/// The span of a traced request, and those of the requests to other services that it causes.
struct RequestTrace: Sendable {
  fileprivate let tracing: RequestTracing
  fileprivate let position: SpanPosition
  fileprivate let parent: SpanPosition?

  /// The value of `traceparent` in the response.
  var traceparent: [UInt8] { position.traceparent }

  /// The span's position, as the log shows it.
  var context: TraceContext? { TraceContext(traceparent[...]) }

  /// Begins the span of a request to another service.
  func beginRequest(_ name: String) -> OutgoingSpan {
    OutgoingSpan(
      trace: self, position: tracing.child(of: position), name: name, start: tracing.time.uptime())
  }

  /// Ends the request's span; call it once.
  func end(_ request: AnsweredRequest, id: [UInt8], from peer: PeerAddress, start: Duration) {
    tracing.export(
      position, childOf: parent, .server, request.spanName, since: start,
      // A client's mistake does not fail the server's span.
      hasFailed: request.status >= 500, request.attributes(id: id, from: peer))
  }
}

/// The span of a request to another service.
struct OutgoingSpan: Sendable {
  fileprivate let trace: RequestTrace
  fileprivate let position: SpanPosition
  fileprivate let name: String
  fileprivate let start: Duration

  /// The fields that continue the trace at the other service.
  var fields: [(name: String, value: String)] { position.fields }

  /// Ends the span; call it once.
  func end() {
    trace.tracing.export(position, childOf: trace.position, .client, name, since: start)
  }
}

extension AnsweredRequest {
  /// The path with placeholders; a stream has that of its resource.
  private var path: String? { (subject.route?.kind ?? subject.kind).path }

  fileprivate var spanName: String {
    [method?.rawValue, path].compactMap(\.self).joined(separator: " ")
  }

  /// The attributes of its span, by OpenTelemetry's conventions for HTTP servers.
  ///
  /// The path is not among them, for it has names; the query may have what a view looks for.
  fileprivate func attributes(
    id: [UInt8], from peer: PeerAddress
  ) -> [(name: String, value: TraceSpan.Value)] {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let texts = [
      ("http.request.method", method?.rawValue), ("http.route", method == nil ? nil : path),
      ("url.scheme", "http"), ("network.peer.address", peer.host), ("error.type", code),
      ("livedelta.request.id", text(id)), ("livedelta.client", names.client.map(text)),
      ("livedelta.collection", names.collection.map(text)),
      ("livedelta.dialect", mark.dialect?.name), ("livedelta.outcome", mark.outcome),
    ]
    let numbers = [
      ("http.response.status_code", status),
      ("http.request.body.size", bytesReceived > 0 ? bytesReceived : nil),
      ("http.response.body.size", bytesSent),
    ]
    return texts.compactMap { name, value in value.map { (name, .text($0)) } }
      + numbers.compactMap { name, value in value.map { (name, .number($0)) } }
  }
}

extension HTTPRequest {
  /// The value of `tracestate`; several fields are one list (W3C Trace Context, §3.3).
  fileprivate var tracestate: String? {
    let values = fields("tracestate").map { String(decoding: $0, as: UTF8.self) }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}

extension Duration {
  fileprivate var nanoseconds: Int {
    Int(components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
  }
}
