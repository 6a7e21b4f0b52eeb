import CEpoll
import Glibc
import HTTP1
import Synchronization

extension EventLoop {
  /// Bodies up to this are copied behind their heads and leave with them in one call.
  private static let copiedBytesMax = 16 << 10

  /// Writes an answer, if it is the one that is owed.
  func writeAnswer(_ connection: Connection, request: UInt32, _ answer: HTTPResponse) {
    guard connection.isAwaitingAnswer, connection.request == request,
      let response = affordable(answer, connection)
    else { return }
    connection.isAwaitingAnswer = false
    connection.onClose = nil
    connection.isClosing = connection.isClosing || closes(connection)
    ResponseWriter.head(
      response, to: connection.context, dateLine: dateLine(), framing: .length,
      closes: connection.isClosing, into: &staging.pointee)
    if response.sendsBody(to: connection.context) {
      switch response.body {
      case .none: break
      case .bytes(let bytes): write(connection, bytes)
      case .segments(let segments): for segment in segments { write(connection, segment) }
      }
    }
    if staging.pointee.count > limits.outputBytesMax { sendStaging(connection, more: false) }
  }

  /// Tells whether the connection ends with the current answer.
  func closes(_ connection: Connection) -> Bool {
    !connection.context.keepsAlive || endsSoon || isDraining || connection.sawEnd
      || connection.request >= limits.requestsPerConnectionMax
  }

  /// Sends a piece of content, or copies it behind what is to be sent if it is small.
  func write(_ connection: Connection, _ piece: [UInt8]) {
    if piece.count <= Self.copiedBytesMax {
      staging.pointee.append(piece)
    } else {
      sendStaging(connection, more: true)
      send(connection, shared: piece)
    }
  }

  /// Sends what is staged; what the socket does not take waits with the connection.
  func sendStaging(_ connection: Connection, more: Bool) {
    guard !staging.pointee.isEmpty else { return }
    staging.pointee.withUnsafeBytes { bytes in
      let sent = connection.output == nil ? transmit(connection, bytes, more: more) : 0
      guard sent < bytes.count else { return }
      let output = connection.output ?? OutputQueue()
      output.append(Array(bytes[sent...]))
      connection.output = output
    }
    staging.pointee.removeAll(keepingCapacityMax: 1 << 20)
  }

  /// Sends a buffer that others may hold too: it is not copied.
  private func send(_ connection: Connection, shared bytes: [UInt8]) {
    let sent =
      connection.output == nil
      ? bytes.withUnsafeBytes { transmit(connection, $0, more: false) } : 0
    guard sent < bytes.count else { return }
    let output = connection.output ?? OutputQueue()
    output.append(bytes[sent...], SharedCharge(state.budget, bytes))
    connection.output = output
  }

  /// The bytes of an answer that are sent before others have their turn.
  private static let sentBytesPerTurn = 512 << 10

  /// Gives the socket as much as it takes, up to the share of a turn; gives the number of bytes.
  private func transmit(
    _ connection: Connection, _ bytes: UnsafeRawBufferPointer, more: Bool
  ) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    var sent = 0
    let share = min(bytes.count, Self.sentBytesPerTurn)
    while sent < share, !connection.isBroken {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[sent..<share])
      let count = Glibc.send(connection.descriptor, rest.baseAddress, rest.count, flags)
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        connection.isBroken = true
      }
    }
    // The socket may take more, and would not tell.
    if sent == share, share < bytes.count { comeBack(to: connection) }
    return sent
  }

  /// Sends what waited for the socket.
  func sendWaiting(_ connection: Connection) {
    guard let output = connection.output else { return }
    let before = output.count
    while output.count > 0, !connection.isBroken {
      let next = output.next
      let sent = next.withUnsafeBytes { transmit(connection, $0, more: output.hasMore) }
      output.remove(sent)
      guard sent == next.count else { break }
    }
    // Any progress gives it its time again.
    if output.count < before { connection.wait = .answer }
    if output.count == 0 { connection.output = nil }
  }

  /// Sends the answers of a turn, and decides what the connection waits for.
  func endTurn(_ connection: Connection) {
    sendStaging(connection, more: false)
    account(connection)
    checkStream(connection)
    if connection.isBroken { return close(connection) }
    if let stream = connection.stream, connection.output == nil { tellWritable(stream) }
    if connection.output != nil {
      waitFor(connection, .write, patience.write)
    } else if connection.isAwaitingAnswer || connection.stream != nil {
      connection.wait = .answer
      connection.deadline = .max
    } else if connection.isClosing || (isDraining && connection.isIdle) {
      linger(connection)
    } else if connection.sawEnd, connection.backlog.isEmpty {
      close(connection)
    } else if connection.reading == .body {
      // Its deadline was set with its head.
      if connection.wait != .body { waitFor(connection, .body, patience.body) }
    } else if connection.reading == .head || connection.request == 0 {
      waitFor(connection, .header, patience.header)
    } else {
      connection.wait = .idle
      setDeadline(connection, now + patience.idle)
    }
  }

  /// Begins a wait, unless it has begun already.
  private func waitFor(_ connection: Connection, _ wait: Wait, _ limit: UInt64) {
    guard connection.wait != wait || connection.deadline == .max else { return }
    connection.wait = wait
    setDeadline(connection, now + limit)
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
