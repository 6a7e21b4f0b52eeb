extension RequestReader {
  /// Reads a body of a declared length.
  mutating func readFixedBody(_ bytes: Span<UInt8>, _ position: inout Int) -> RequestEvent {
    if body.isEmpty, !discards { body.reserveCapacity(bodyRemaining) }
    let count = min(bodyRemaining, bytes.count - position)
    keep(bytes.extracting(position..<(position + count)))
    position += count
    bodyRemaining -= count
    return bodyRemaining == 0 ? finishBody() : .incomplete
  }

  /// Adds content to the body, unless it is to be dropped.
  mutating func keep(_ content: Span<UInt8>) {
    guard !discards, !content.isEmpty else { return }
    unsafe content.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
  }

  /// Gives the request its body, and is ready for the next.
  mutating func finishBody() -> RequestEvent {
    phase = .head
    let content = body
    body = []
    guard var request = pending else { return .discarded }
    pending = nil
    guard !discards else { return .discarded }
    request.body = content
    return .request(request)
  }
}
