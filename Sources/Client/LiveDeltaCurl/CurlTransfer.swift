import DeltaEngine
import LiveDeltaClient

/// A request in progress: the response that libcurl's callbacks fill, and a cancellation flag.
///
/// `@unchecked Sendable`: everything but the flag is accessed only on the transport's queue,
/// inside `perform`. The flag is locked, and a multi handle may be woken from any thread.
final class CurlTransfer: @unchecked Sendable {
  private let isCancelled = Locked(false)
  private let wake: @Sendable () -> Void
  let request: ClientRequest
  private var isSuccess: Bool { 200..<300 ~= answer.status }
  private(set) var overflowed = false
  private(set) var answer = ClientResponse(status: 0)

  /// Creates a transfer; `wake` makes a waiting one check for cancellation.
  init(_ request: ClientRequest, wake: @escaping @Sendable () -> Void) {
    self.request = request
    self.wake = wake
  }

  /// Cancels the transfer from any thread, before it starts or while it waits.
  func cancel() {
    _ = isCancelled.exchange(true)
    wake()
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
    let line = bytes[...].trimmed
    if line.starts(with: "HTTP/".utf8) {
      let parts = line.split(separator: UInt8(ascii: " "))
      answer.fields.removeAll()
      answer.status =
        parts.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      return
    }
    if line.isEmpty, isSuccess { request.onHead?(answer) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = line[line.index(after: colon)...].trimmed
    answer.fields.append(
      HeaderField(
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The bytes without white space and ends of lines around them.
  fileprivate var trimmed: Self {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
    guard let start = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return self[endIndex...] }
    return self[start...last]
  }
}
