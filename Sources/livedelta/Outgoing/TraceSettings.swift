import CollectionService
import DeltaHTTP
import LiveDeltaClient
import Telemetry

/// Where traces of requests are exported to.
enum TraceSettings {
  private static let answerBytesMax = 64 << 10

  /// Returns the configured export of traces; `nil` without `traces.url`.
  ///
  /// - Throws: `Failure` if a setting is invalid.
  static func configuration(
    _ settings: Settings, _ configuration: DeltaServerConfiguration
  ) throws -> TraceConfiguration? {
    let ratio = try settings.double(.tracesRatio, in: 0...1)
    guard let target = try OutgoingTarget(.tracesURL, settings) else { return nil }
    let client = target.client(
      connecting: .seconds(2), answering: .seconds(10), bodyBytesMax: answerBytesMax)
    let fields = [HTTPField("Content-Type", "application/json")]
    let time = configuration.time
    let exporter = SpanExporter(
      limits: configuration.traceLimits, version: configuration.version,
      sleep: { await time.sleep(time.uptime() + $0) }
    ) { [path = target.path] body in
      let answer = try? await client.request("POST", path, fields: fields, body: body)
      return answer.map { answer in
        SpanExporter.Answer(
          status: answer.status, retryAfter: answer["Retry-After"].flatMap { RetryAfter.delay($0) },
          body: answer.body)
      }
    }
    return TraceConfiguration(exporter, ratio: ratio)
  }
}
