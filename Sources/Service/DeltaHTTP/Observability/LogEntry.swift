import CollectionService
import HTTP1
import SocketServer
import Telemetry
import VersionedCollections

/// An entry of the access log that has not been formatted yet.
struct LogEntry: Sendable {
  /// When the request ended, in milliseconds since 1970.
  let milliseconds: Int64
  let number: UInt64
  let microseconds: Int
  let peer: PeerAddress
  let request: AnsweredRequest

  var byteCount: Int {
    MemoryLayout<LogEntry>.stride + (request.isShared ? 0 : AnsweredRequest.byteCount)
  }
}

/// Formats log lines; the second is formatted once a second, a peer's address once in a row.
struct LogText: ~Copyable {
  private(set) var bytes = OutputBuffer(capacity: 64 << 10)
  private let format: LogFormat
  private var isJSON: Bool { format == .json }
  private var second: Int64 = -1
  private var time: [UInt8] = []
  private var peer: PeerAddress?
  private var host: [UInt8] = []

  init(_ format: LogFormat) { self.format = format }

  mutating func append(_ entry: LogEntry) {
    let (second, fraction) = max(0, entry.milliseconds).quotientAndRemainder(dividingBy: 1000)
    if second != self.second { setTime(second) }
    if peer?.hasHost(of: entry.peer) != true { setPeer(entry.peer) }
    bytes.append(time)
    bytes.append(Self.threeDigits(Int(fraction)).span)
    if isJSON { bytes.append("Z\",\"request\":\"") } else { bytes.append("Z request=") }
    if entry.request.isShared {
      bytes.append(hexadecimalDigits(entry.number).span)
    } else {
      bytes.append(entry.request.record.id.bytes)
    }
    bytes.append(host)
    let text = entry.request.text(format)
    bytes.append(text.beforeDuration)
    bytes.append(decimal: max(0, entry.microseconds))
    bytes.append(text.afterDuration)
  }

  private mutating func setTime(_ second: Int64) {
    self.second = second
    let text = HTTPDate.timestamp(secondsSince1970: second).dropLast()
    time = Array("\(isJSON ? "{\"time\":\"" : "")\(text).".utf8)
  }

  private mutating func setPeer(_ peer: PeerAddress) {
    self.peer = peer
    host = Array((isJSON ? "\",\"peer\":\"\(peer.host)\"" : " peer=\(peer.host)").utf8)
  }

  private static func threeDigits(_ number: Int) -> InlineArray<3, UInt8> {
    [
      UInt8(0x30 + number / 100), UInt8(0x30 + number / 10 % 10), UInt8(0x30 + number % 10),
    ]
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacityMax: 64 << 10) }
}
