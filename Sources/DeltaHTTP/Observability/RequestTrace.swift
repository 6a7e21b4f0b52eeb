import CollectionService
import HTTP1
import Instrumentation
import SocketServer
import Synchronization
import Telemetry
import Tracing
import VersionedCollections

/// The trace of a request: a span of the server, and a child of it for each stage.
final class RequestTrace: Sendable {
  /// What the request spends its time on.
  let stages: RequestStages
  private let tracer: any Tracer
  private let span: any Tracing.Span
  /// Nanoseconds since 1970 at which the uptime was zero.
  private let epoch: Int64
  private let hasEnded = Atomic(false)

  init(
    _ tracer: any Tracer, _ method: HTTPMethod, _ context: InstrumentationContext, start: Duration,
    epoch: Int64, _ stages: RequestStages
  ) {
    self.tracer = tracer
    self.epoch = epoch
    self.stages = stages
    span = tracer.startSpan(
      method.rawValue, context: context, ofKind: .server, at: TraceInstant(start, epoch))
  }

  /// The fields with which the span is continued in requests to others.
  var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    tracer.inject(span.context, into: &fields, using: FieldWriter())
    return fields
  }

  /// The field that tells the span; `nil` if the tracer does not say.
  var traceparent: [UInt8]? {
    fields.first { $0.name == "traceparent" }.map { Array($0.value.utf8) }
  }

  /// The span's position, as the response tells it; `nil` if the tracer does not say.
  var context: TraceContext? { traceparent.flatMap { TraceContext($0[...]) } }

  /// Ends the trace; later calls have no effect.
  ///
  /// - Parameters:
  ///   - request: The request and its answer.
  ///   - id: The id of the request.
  ///   - peer: Who sent it.
  ///   - answered: When the answer was ready.
  ///   - sent: When it was sent.
  func end(
    _ request: AnsweredRequest, id: [UInt8], from peer: PeerAddress, answered: Duration,
    sent: Duration
  ) {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    if sent > answered { stages.note(.send, from: answered, to: sent) }
    let (all, lostCount) = stages.take(at: answered)
    describe(request, id: id, from: peer, lostCount: lostCount)
    export(all + [wait(request.subject.parked, all)].compactMap(\.self), until: sent)
    span.end(at: TraceInstant(sent, epoch))
  }

  /// The wait for news, which ends when there is some.
  private func wait(
    _ parked: ParkedTime?, _ stages: [RequestStages.Stage]
  ) -> RequestStages.Stage? {
    guard let parked, let start = parked.startTime else { return nil }
    let end = stages.first { $0.kind == .wake }?.start ?? start + parked.duration
    return RequestStages.Stage(kind: .news, start: start, end: max(start, end))
  }

  /// Exports the stages: judgments as children of the delta that they are part of.
  ///
  /// Queues that hand the request on note the end of their stage after that, when it may have ended.
  private func export(_ stages: [RequestStages.Stage], until end: Duration) {
    let context = span.context
    var deltas: [(stage: RequestStages.Stage, context: InstrumentationContext)] = []
    for stage in stages.sorted(by: { $0.start < $1.start || $0.end > $1.end }) {
      let delta = stage.kind != .judge ? nil : deltas.last { $0.stage.contains(stage) }
      let child = tracer.startSpan(
        stage.kind.rawValue, context: delta?.context ?? context,
        ofKind: stage.kind == .authorize ? .client : .internal,
        at: TraceInstant(stage.start, epoch))
      child.end(at: TraceInstant(min(stage.end, end), epoch))
      if stage.kind == .diff { deltas.append((stage, child.context)) }
    }
  }
}

extension RequestTrace {
  /// Sets the attributes, by OpenTelemetry's conventions for HTTP servers.
  ///
  /// The path is not among them, for it has names; the query may have a ticket.
  private func describe(
    _ request: AnsweredRequest, id: [UInt8], from peer: PeerAddress, lostCount: Int
  ) {
    var attributes: [String: SpanAttribute] = [:]
    attributes.reserveCapacity(16)
    if let method = request.method {
      attributes["http.request.method"] = .string(method.rawValue)
      // A stream has the path of its resource.
      if let path = (request.subject.route?.kind ?? request.subject.kind).path {
        attributes["http.route"] = .string(path)
        span.operationName = "\(method.rawValue) \(path)"
      }
    }
    attributes["http.response.status_code"] = .int64(Int64(request.status))
    attributes["url.scheme"] = .string("http")
    attributes["network.peer.address"] = .string(peer.host)
    if request.bytesReceived > 0 {
      attributes["http.request.body.size"] = .int64(Int64(request.bytesReceived))
    }
    attributes["http.response.body.size"] = .int64(Int64(request.bytesSent))
    if let code = request.code { attributes["error.type"] = .string(code) }
    attributes["livedelta.request.id"] = Self.text(id)
    let (client, collection) = request.names
    if let client { attributes["livedelta.client"] = Self.text(client) }
    if let collection { attributes["livedelta.collection"] = Self.text(collection) }
    if let dialect = request.mark.dialect {
      attributes["livedelta.dialect"] = .string(dialect.name)
    }
    if let outcome = request.mark.outcome { attributes["livedelta.outcome"] = .string(outcome) }
    if lostCount > 0 { attributes["livedelta.stages.lost"] = .int64(Int64(lostCount)) }
    span.attributes = SpanAttributes(attributes)
    // What a client did wrong is no error of the server's span.
    if request.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
  }

  private static func text(_ bytes: [UInt8]) -> SpanAttribute {
    .string(String(decoding: bytes, as: UTF8.self))
  }
}

/// A time for a tracer.
private struct TraceInstant: TracerInstant {
  let nanosecondsSinceEpoch: UInt64

  init(_ uptime: Duration, _ epoch: Int64) {
    let (seconds, attoseconds) = uptime.components
    nanosecondsSinceEpoch = UInt64(
      clamping: epoch + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  static func < (one: TraceInstant, other: TraceInstant) -> Bool {
    one.nanosecondsSinceEpoch < other.nanosecondsSinceEpoch
  }
}

/// Collects the fields of a trace.
private struct FieldWriter: Injector {
  func inject(
    _ value: String, forKey key: String, into fields: inout [(name: String, value: String)]
  ) {
    fields.append((key, value))
  }
}

extension RequestStages.Stage {
  fileprivate func contains(_ other: RequestStages.Stage) -> Bool {
    start <= other.start && other.end <= end
  }
}
