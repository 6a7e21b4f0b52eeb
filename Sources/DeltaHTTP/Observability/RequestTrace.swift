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

  /// How a request was answered.
  struct End {
    let method: HTTPMethod?
    let kind: RequestKind
    let parked: ParkedTime?
    let names: [(key: String, name: [UInt8])]
    let answer: LoggedAnswer
    let mark: AnswerMark
    let requestID: [UInt8]
    let bytesReceived: Int
    let peer: PeerAddress
  }

  /// Ends the trace; later calls have no effect.
  ///
  /// - Parameters:
  ///   - end: How the request was answered.
  ///   - answered: When the answer was ready.
  ///   - sent: When it was sent.
  func end(_ end: End, answered: Duration, sent: Duration) {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    if sent > answered { stages.note(.send, from: answered, to: sent) }
    let (all, lostCount) = stages.take(at: answered)
    describe(end, lostCount: lostCount)
    export(all + [wait(end.parked, all)].compactMap(\.self), until: sent)
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
  private func describe(_ end: End, lostCount: Int) {
    var attributes: [String: SpanAttribute] = [:]
    attributes.reserveCapacity(16)
    if let method = end.method {
      attributes["http.request.method"] = .string(method.rawValue)
      if let route = end.kind.route {
        attributes["http.route"] = .string(route)
        span.operationName = "\(method.rawValue) \(route)"
      }
    }
    attributes["http.response.status_code"] = .int64(Int64(end.answer.status))
    attributes["url.scheme"] = .string("http")
    attributes["network.peer.address"] = .string(end.peer.host)
    if end.bytesReceived > 0 {
      attributes["http.request.body.size"] = .int64(Int64(end.bytesReceived))
    }
    attributes["http.response.body.size"] = .int64(Int64(end.answer.byteCount))
    if let code = end.answer.code { attributes["error.type"] = .string(code) }
    attributes["livedelta.request.id"] = .string(String(decoding: end.requestID, as: UTF8.self))
    for (key, name) in end.names {
      attributes[key] = .string(String(decoding: name, as: UTF8.self))
    }
    if let dialect = end.mark.dialect { attributes["livedelta.dialect"] = .string(dialect.name) }
    if let outcome = end.mark.outcome { attributes["livedelta.outcome"] = .string(outcome.name) }
    if lostCount > 0 { attributes["livedelta.stages.lost"] = .int64(Int64(lostCount)) }
    span.attributes = SpanAttributes(attributes)
    // What a client did wrong is no error of the server's span.
    if end.answer.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
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

extension RequestKind {
  /// The path with placeholders in place of names; `nil` for what is not served to clients.
  var route: String? {
    switch self {
    case .capabilities: "/v1"
    case .contract: "/openapi.json"
    case .inspector: "/ui"
    case .health: "/ui/health"
    case .webFile: "/client/{version}/{file}"
    case .diff: "/v1/diff"
    case .changes: "/v1/changes"
    case .clients: "/v1/clients"
    case .client: "/v1/clients/{client}"
    case .index: "/v1/clients/{client}/collections"
    case .batch: "/v1/clients/{client}/batch"
    case .sync: "/v1/clients/{client}/sync"
    case .tickets: "/v1/clients/{client}/tickets"
    case .collection: Self.collectionRoute
    case .delta, .events: Self.collectionRoute + "/delta"
    case .versions: Self.collectionRoute + "/versions"
    case .settings: Self.collectionRoute + "/settings"
    case .revert: Self.collectionRoute + "/revert"
    case .operations, .none: nil
    }
  }

  private static let collectionRoute = "/v1/clients/{client}/collections/{name}"
}
