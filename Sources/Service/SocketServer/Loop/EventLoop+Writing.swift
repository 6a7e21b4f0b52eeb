import CEpoll
import Glibc
import HTTP1
import Synchronization

extension EventLoop {
  /// Bodies up to this size are copied after their heads and sent in one call.
  private static let copiedBytesMax = 16 << 10

  /// Writes a response, if its request is still awaiting one.
  func writeResponse(_ connection: Connection, request: UInt32, _ given: HTTPResponse) {
    guard connection.isAwaitingResponse, connection.request == request,
      let response = affordable(given, connection)
    else { return }
    connection.reply = .nothing
    connection.onHangup = nil
    if closes(connection) { connection.advance(to: .closing) }
    ResponseWriter.head(
      response, to: connection.context, dateLine: dateLine(), framing: .length,
      closes: connection.phase == .closing, into: &outputBuffer.value)
    if response.sendsBody(to: connection.context) {
      switch response.body {
      case .none: break
      case .bytes(let bytes): write(connection, bytes)
      case .segments(let segments): for segment in segments { write(connection, segment) }
      }
    }
    if outputBuffer.value.count > limits.outputBytesMax { flush(connection, more: false) }
  }

  /// Whether the connection closes after the current response.
  func closes(_ connection: Connection) -> Bool {
    !connection.context.keepsAlive || endsSoon || isDraining || connection.sawEnd
      || connection.request >= limits.requestsPerConnectionMax
  }

  /// Sends content; a small piece is copied to the output buffer instead.
  func write(_ connection: Connection, _ piece: [UInt8]) {
    if piece.count <= Self.copiedBytesMax {
      outputBuffer.value.append(piece)
    } else {
      flush(connection, more: true)
      send(connection, shared: piece)
    }
  }

  /// Sends the output buffer; what the socket does not accept is queued on the connection.
  func flush(_ connection: Connection, more: Bool) {
    guard !outputBuffer.value.isEmpty else { return }
    outputBuffer.value.withBytes { bytes in
      let sent = connection.output == nil ? transmit(connection, bytes, more: more) : 0
      guard sent < bytes.count else { return }
      let output = connection.output ?? OutputQueue()
      output.append(bytes.extracting(sent...).copied())
      connection.output = output
    }
    outputBuffer.value.removeAll(keepingCapacityMax: 1 << 20)
  }

  /// Sends a buffer that may have other owners, without copying it.
  private func send(_ connection: Connection, shared bytes: [UInt8]) {
    let sent = connection.output == nil ? transmit(connection, bytes.span, more: false) : 0
    guard sent < bytes.count else { return }
    let output = connection.output ?? OutputQueue()
    output.append(bytes[sent...], SharedCharge(state.budget, bytes))
    connection.output = output
  }

  /// The most bytes of a response that are sent before other connections are processed.
  private static let sentBytesPerPass = 512 << 10

  /// Sends as much as the socket accepts, up to a maximum per pass; returns the number of bytes
  /// sent.
  private func transmit(
    _ connection: Connection, _ bytes: Span<UInt8>, more: Bool
  ) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    var sent = 0
    let share = min(bytes.count, Self.sentBytesPerPass)
    while sent < share, connection.phase < .broken {
      let count = bytes.extracting(sent..<share).send(to: connection.descriptor, flags)
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        connection.advance(to: .broken)
      }
    }
    // The socket may accept more, but no edge would report it.
    if sent == share, share < bytes.count { processLater(connection) }
    return sent
  }

  /// Sends queued output.
  func sendWaiting(_ connection: Connection) {
    guard let output = connection.output else { return }
    let before = output.count
    while output.count > 0, connection.phase < .broken {
      let next = output.next
      let sent = transmit(connection, next.span, more: output.hasMore)
      output.remove(sent)
      guard sent == next.count else { break }
    }
    // Any progress restarts the timeout.
    if output.count < before { connection.wait = .response }
    if output.count == 0 { connection.output = nil }
  }

  /// Flushes the output buffer and determines what the connection waits for.
  func finishProcessing(_ connection: Connection) {
    flush(connection, more: false)
    account(connection)
    checkStream(connection)
    if connection.phase >= .broken { return close(connection) }
    if let stream = connection.stream, connection.output == nil { notifyWritable(stream) }
    switch connection.nextAction(isDraining: isDraining) {
    case .close: close(connection)
    case .linger: linger(connection)
    case .wait(let wait): waitFor(connection, wait)
    }
  }

  /// Sets the deadline for a wait; one that has already begun keeps its deadline.
  private func waitFor(_ connection: Connection, _ wait: Wait) {
    switch wait {
    case .response:
      connection.wait = wait
      connection.deadline = .max
    case .idle:
      connection.wait = wait
      setDeadline(connection, now + timeouts.idle)
    // The deadline for a body was set when its head was read.
    case .body where connection.wait == .body: break
    case .body: beginWait(connection, wait, timeouts.body)
    case .header: beginWait(connection, wait, timeouts.header)
    case .write: beginWait(connection, wait, timeouts.write)
    case .linger: break
    }
  }

  private func beginWait(_ connection: Connection, _ wait: Wait, _ limit: UInt64) {
    guard connection.wait != wait || connection.deadline == .max else { return }
    connection.wait = wait
    setDeadline(connection, now + limit)
  }
}

extension Span<UInt8> {
  /// Sends the bytes; returns the result of `send`.
  func send(to descriptor: Int32, _ flags: Int32) -> Int {
    unsafe withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
  }
}

extension HTTPResponse {
  /// The buffers of the body.
  var pieces: [[UInt8]] {
    switch body {
    case .none: []
    case .bytes(let bytes): [bytes]
    case .segments(let segments): segments
    }
  }
}
