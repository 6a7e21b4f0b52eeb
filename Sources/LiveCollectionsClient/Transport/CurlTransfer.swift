import CCurl
import DeltaEngine

/// One request under way: the answer that libcurl's callbacks fill, and the flag that cancels it.
///
/// Everything but the flag is touched only on the connection's queue, inside `perform`; the
/// flag is locked, and waking a multi handle is allowed from any thread. Hence `@unchecked`.
final class CurlTransfer: @unchecked Sendable {
  private let isCancelled = Locked(false)
  private let connection: CurlConnection
  let bodyBytesMax: Int
  /// Is called with the number of bytes of the request's body that are sent.
  let onSent: (@Sendable (Int) -> Void)?
  /// Takes the body of a success as it comes; without it the body is collected.
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

  /// Ends the transfer soon, from any thread; before it starts, or while it waits.
  func cancel() {
    _ = isCancelled.exchange(true)
    connection.wake()
  }

  var wasCancelled: Bool { isCancelled.withLock { $0 } }

  /// Takes a part of the body; `false` when that would be more than the limit.
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

  /// Takes a line of the head; a status line starts over, for what came before was interim.
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
  /// Without white space and line ends around it.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
