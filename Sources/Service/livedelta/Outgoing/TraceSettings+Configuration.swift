import CollectionService
import DeltaHTTP
import HTTP1
import LiveDeltaClient
import Telemetry
import VersionedCollections

extension TraceSettings {
  /// Returns the configured tracing; `nil` without `traces.url`.
  func configuration(
    for configuration: DeltaServerConfiguration, _ outgoing: Outgoing
  ) throws -> Tracing? {
    guard let target = try OutgoingTarget(url, "traces.url", outgoing) else { return nil }
    let post = target.poster(connecting: .seconds(2), answering: .seconds(10))
    let fields = [HeaderField("Content-Type", "application/json")] + (try headers())
    let time = configuration.time
    let exporter = SpanExporter(
      version: configuration.version, sleep: { await time.sleep(time.uptime() + $0) }
    ) { body in await post(fields, body) }
    return Tracing(exporter, ratio: ratio, time: time)
  }

  /// Reads the headers that the collector wants; what is wrong is told without them, for they are secret.
  private func headers() throws -> [HeaderField] {
    guard !headersFile.isEmpty else { return [] }
    let lines = try InputFile.read(headersFile).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return try lines.enumerated().compactMap { number, line in
      guard line.contains(where: { $0 > 0x20 }), line.first != UInt8(ascii: "#") else { return nil }
      guard let field = HeaderField(line: line) else {
        throw Failure.configuration(
          "\(headersFile), line \(number + 1): a header is written Name: value, and is none of the exporter's own"
        )
      }
      return field
    }
  }
}

extension HeaderField {
  private static let ownNames: Set<String> = [
    "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "host",
  ]

  /// Parses a line of a file; `nil` if it is no field (RFC 9110 §5.5, §5.6.2) or one of the exporter's own.
  fileprivate init?(line: ArraySlice<UInt8>) {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = line[..<colon]
    let value = line[line.index(after: colon)...].drop(while: isBlank)
    guard name.span.isToken, let last = value.lastIndex(where: { !isBlank($0) }),
      value[...last].allSatisfy({ $0 == 0x09 || 0x20...0x7E ~= $0 })
    else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    guard !Self.ownNames.contains(text.lowercased()) else { return nil }
    self.init(text, String(decoding: value[...last], as: UTF8.self))
  }
}
