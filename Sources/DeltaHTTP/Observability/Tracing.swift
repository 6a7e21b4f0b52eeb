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
  private let time: TimeSource

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

  /// Exports the span of a request that ends now.
  func export(
    _ request: AnsweredRequest, _ context: TraceContext, id: RequestID, from peer: PeerAddress,
    microseconds: Int
  ) {
    let end = Int(time.nanoseconds())
    var span = TraceSpan(
      context, childOf: request.record.parent, .server, request.spanName,
      from: max(0, end - microseconds * 1000), to: end)
    span.attributes = request.attributes(id: id, from: peer)
    // What a client did wrong is no error of the server's span.
    span.hasFailed = request.status >= 500
    exporter.append(span)
  }
}

extension AnsweredRequest {
  /// The path with placeholders; a stream has that of its resource.
  private var path: String? { (subject.route?.kind ?? subject.kind).path }

  fileprivate var spanName: String {
    [record.method?.rawValue, path].compactMap(\.self).joined(separator: " ")
  }

  /// The attributes of its span, by OpenTelemetry's conventions for HTTP servers.
  ///
  /// The path is not among them, for it has names.
  fileprivate func attributes(
    id: RequestID, from peer: PeerAddress
  ) -> [(name: String, value: TraceSpan.Value)] {
    let names = names
    let texts = [
      ("http.request.method", record.method?.rawValue),
      ("http.route", record.method == nil ? nil : path), ("url.scheme", "http"),
      ("network.peer.address", peer.host), ("error.type", code),
      ("livedelta.request.id", id.description), ("livedelta.client", names.client),
      ("livedelta.collection", names.collection), ("livedelta.dialect", mark.dialect?.name),
      ("livedelta.outcome", mark.outcome),
    ]
    let numbers = [
      ("http.response.status_code", status),
      ("http.request.body.size", record.bodyByteCount > 0 ? record.bodyByteCount : nil),
      ("http.response.body.size", bytesSent),
    ]
    return texts.compactMap { name, value in value.map { (name, .text($0)) } }
      + numbers.compactMap { name, value in value.map { (name, .number($0)) } }
  }
}
