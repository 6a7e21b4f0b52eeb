import DeltaEngine
import LiveDeltaClient

/// A request in progress: the response that libcurl's callbacks fill, and a cancellation flag.
///
/// `@unchecked Sendable`: everything but the flag is accessed only on the transport's queue,
/// inside `perform`. The flag is locked, and a multi handle may be woken from any thread.
final class CurlTransfer: @unchecked Sendable {
  private let isCancelled = Locked(false)
  private let transport: CurlTransport
  let request: ClientRequest
  private var isSuccess: Bool { 200..<300 ~= answer.status }
  private(set) var overflowed = false
  private(set) var answer = ClientResponse(status: 0)

  init(_ request: ClientRequest, on transport: CurlTransport) {
    self.request = request
    self.transport = transport
  }

  /// Cancels the transfer from any thread, before it starts or while it waits.
  func cancel() {
    _ = isCancelled.exchange(true)
    transport.wake()
  }

  var wasCancelled: Bool { isCancelled.withLock { $0 } }

  /// Appends a part of the body; returns `false` if it exceeds the limit.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    if isSuccess, let onPiece = request.onPiece {
      overflowed = !onPiece(Array(bytes))
    } else if answer.body.count + bytes.count > request.bodyBytesMax {
      overflowed = true
    } else {
      answer.body.append(contentsOf: bytes)
    }
    return !overflowed
  }

  /// Parses a line of the head; a status line discards the fields of a preceding interim response.
  func take(line bytes: UnsafeRawBufferPointer) {
    let line = String(decoding: bytes, as: UTF8.self).trimmed
    if line.hasPrefix("HTTP/") {
      answer.fields.removeAll()
      answer.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return
    }
    if line.isEmpty, isSuccess { request.onHead?(answer) }
    guard let colon = line.firstIndex(of: ":") else { return }
    let name = String(line[..<colon])
    answer.fields.append(HTTPField(name, String(line[line.index(after: colon)...]).trimmed))
  }

}

extension String {
  /// The string with leading and trailing whitespace removed.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
