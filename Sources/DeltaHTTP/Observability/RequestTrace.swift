import CollectionService
import HTTP1
import SocketServer
import Synchronization
import Telemetry
import VersionedCollections

/// The trace of a request: a span of the server, and a child of it for each stage.
final class RequestTrace: Sendable {
  /// What the request spends its time on.
  let stages: RequestStages
  /// The position of the server's span.
  let position: SpanPosition
  private let parent: SpanPosition?
  private let exporter: SpanExporter
  private let numbers: UniqueNumbers
  private let start: Duration
  /// Nanoseconds since 1970 at which the uptime was zero.
  private let epoch: Int64
  private let hasEnded = Atomic(false)

  init(
    _ exporter: SpanExporter, _ numbers: UniqueNumbers, childOf parent: SpanPosition?,
    start: Duration, epoch: Int64, _ stages: RequestStages
  ) {
    (self.exporter, self.numbers, self.parent) = (exporter, numbers, parent)
    (self.start, self.epoch, self.stages) = (start, epoch, stages)
    position = SpanPosition(childOf: parent, numbers)
  }

  /// The span's position, as the response tells it.
  var context: TraceContext? { TraceContext(position.traceparent[...]) }

  /// Ends the trace; later calls have no effect.
  func end(
    _ request: AnsweredRequest, id: [UInt8], from peer: PeerAddress, answered: Duration,
    sent: Duration
  ) {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    if sent > answered { stages.note(.send, from: answered, to: sent) }
    let (all, lostCount) = stages.take(at: answered)
    export(all + [wait(request.subject.parked, all)].compactMap(\.self), until: sent)
    var span = TraceSpan(
      position, childOf: parent, .server, request.spanName, from: time(start), to: time(sent))
    span.attributes = request.attributes(id: id, from: peer)
    if lostCount > 0 { span.attributes.append(("livedelta.stages.lost", .number(lostCount))) }
    // What a client did wrong is no error of the server's span.
    span.hasFailed = request.status >= 500
    exporter.append(span)
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
    var deltas: [(stage: RequestStages.Stage, position: SpanPosition)] = []
    for stage in stages.sorted(by: { $0.start < $1.start || $0.end > $1.end }) {
      let delta = stage.kind != .judge ? nil : deltas.last { $0.stage.contains(stage) }
      let parent = delta?.position ?? position
      let child = SpanPosition(childOf: parent, numbers)
      exporter.append(
        TraceSpan(
          child, childOf: parent, stage.kind == .authorize ? .client : .internal,
          stage.kind.rawValue, from: time(stage.start), to: time(min(stage.end, end))))
      if stage.kind == .diff { deltas.append((stage, child)) }
    }
  }

  /// Returns an uptime in nanoseconds since 1970.
  private func time(_ uptime: Duration) -> Int { Int(max(0, epoch + uptime.nanoseconds)) }
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

extension RequestStages.Stage {
  fileprivate func contains(_ other: RequestStages.Stage) -> Bool {
    start <= other.start && other.end <= end
  }
}

extension Duration {
  /// Whole nanoseconds.
  var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
