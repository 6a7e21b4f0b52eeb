import DeltaHTTP
import Synchronization
import Telemetry
import TestSupport
import Testing

/// A collector of traces in place of that of an operator.
final class TraceCollector: Sendable {
  /// A span as it was exported.
  struct Span: Sendable {
    let trace: String
    let id: String
    let parent: String?
    let state: String?
    let name: String
    let kind: Int
    let start: Int
    let end: Int
    let hasFailed: Bool
    let attributes: [String: String]

    init(_ json: JSONTree) {
      trace = json["traceId"].string ?? ""
      id = json["spanId"].string ?? ""
      parent = json["parentSpanId"].string
      state = json["traceState"].string
      name = json["name"].string ?? ""
      kind = json["kind"].int ?? 0
      start = json["startTimeUnixNano"].string.flatMap { Int($0) } ?? 0
      end = json["endTimeUnixNano"].string.flatMap { Int($0) } ?? 0
      hasFailed = json["status"]["code"].int == 2
      attributes = Dictionary(
        uniqueKeysWithValues: json["attributes"].elements.map {
          let value = $0["value"]
          return (
            $0["key"].string ?? "", value["stringValue"].string ?? value["intValue"].string ?? ""
          )
        })
    }

    /// Whether it is the span of a request to the service.
    var isServer: Bool { kind == 2 }
  }

  private let state = Mutex((spans: [Span](), texts: [[UInt8]]()))

  /// All spans in the order in which they came.
  var spans: [Span] { state.withLock { $0.spans } }
  /// The spans of requests.
  var servers: [Span] { spans.filter(\.isServer) }
  /// All that came, as text.
  var text: String {
    state.withLock { $0.texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") }
  }

  /// The spans of requests, once there are so many.
  func servers(_ count: Int) async throws -> [Span] {
    try await until { servers.count >= count }
    return servers
  }

  func take(_ body: [UInt8]) {
    let resources = JSONTree(body)["resourceSpans"].elements
    let spans = resources.flatMap { $0["scopeSpans"].elements }.flatMap { $0["spans"].elements }
    state.withLock { state in
      state.spans += spans.map { Span($0) }
      state.texts.append(body)
    }
  }

  /// What exports each span to the collector as soon as it ends.
  func configuration(ratio: Double = 0) -> Tracing {
    Tracing(
      SpanExporter(
        batchSpansMax: 1, version: "0", sleep: { _ in await untilCancelled() }
      ) { body in
        self.take(body)
        return PostAnswer(status: 200)
      }, ratio: ratio)
  }
}
