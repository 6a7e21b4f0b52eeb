import CCurl
import DeltaEngine

/// A request in progress: the response that libcurl's callbacks fill, and a cancellation flag.
///
/// `@unchecked Sendable`: everything but the flag is accessed only on the connection's queue,
/// inside `perform`. The flag is locked, and a multi handle may be woken from any thread.
final class CurlTransfer: @unchecked Sendable {
  private let isCancelled = Locked(false)
  private let connection: CurlConnection
  let bodyBytesMax: Int
  /// Called with the number of bytes of the request's body sent so far.
  let onSent: (@Sendable (Int) -> Void)?
  /// Receives the body of a successful response as it arrives; if `nil`, the body is collected.
  private let onPiece: (@Sendable ([UInt8]) -> Void)?
  private var isSuccess = false
  private(set) var overflowed = false
  private(set) var answer = ClientResponse(status: 0)

  init(
    on connection: CurlConnection, bodyBytesMax: Int, onSent: (@Sendable (Int) -> Void)? = nil,
    onPiece: (@Sendable ([UInt8]) -> Void)? = nil
  ) {
    self.connection = connection
    self.bodyBytesMax = bodyBytesMax
    self.onSent = onSent
    self.onPiece = onPiece
  }

  /// Cancels the transfer from any thread, before it starts or while it waits.
  func cancel() {
    _ = isCancelled.exchange(true)
    connection.wake()
  }

  var wasCancelled: Bool { isCancelled.withLock { $0 } }

  /// Appends a part of the body; returns `false` if it would exceed the limit.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    if isSuccess, let onPiece {
      onPiece(Array(bytes))
      return true
    }
    guard answer.body.count + bytes.count <= bodyBytesMax else {
      overflowed = true
      return false
    }
    answer.body.append(contentsOf: bytes)
    return true
  }

  /// Parses a line of the head; a status line discards the fields of a preceding interim response.
  func take(line bytes: UnsafeRawBufferPointer) {
    let line = String(decoding: bytes, as: UTF8.self).trimmed
    if line.hasPrefix("HTTP/") {
      answer.fields.removeAll()
      isSuccess = line.split(separator: " ").dropFirst().first?.hasPrefix("2") == true
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let name = String(line[..<colon])
    answer.fields.append(HTTPField(name, String(line[line.index(after: colon)...]).trimmed))
  }

  func finish(status: Int) -> ClientResponse {
    answer.status = status
    return answer
  }
}

extension String {
  /// The string with leading and trailing whitespace removed.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
