import Glibc
import HTTP1

extension EventLoop {
  /// Sends the head of a streamed answer, if it is the one that is owed.
  func open(_ stream: ResponseStream, _ head: HTTPResponse) {
    let connection = stream.connection
    guard !connection.isClosed, connection.isAwaitingAnswer, connection.request == stream.request
    else {
      stream.close()?()
      return
    }
    connection.isAwaitingAnswer = false
    connection.onClose = nil
    let framing: ResponseFraming = connection.context.version == .http10 ? .close : .chunked
    connection.isClosing = closes(connection) || framing == .close
    ResponseWriter.head(
      head, to: connection.context, dateLine: dateLine(), framing: framing,
      closes: connection.isClosing, into: &staging.pointee)
    connection.stream = stream
    connection.isChunked = framing == .chunked
    limitUnsent(connection)
    sendStaging(connection, more: false)
    guard !connection.sawHangup else { return close(connection) }
    pump(stream)
  }

  /// Keeps the kernel from buffering what a slow reader does not take.
  private func limitUnsent(_ connection: Connection) {
    guard connection.peer != .unix else { return }
    ListeningSocket.setOption(
      connection.descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT,
      Int32(clamping: limits.streamBytesMax))
  }

  /// Sends what was written to a stream.
  func pump(_ stream: ResponseStream) {
    let connection = stream.connection
    guard connection.stream === stream, !connection.isClosed else { return }
    let work = stream.takeWork()
    if work.aborts { return reset(connection) }
    let sendsBody = !connection.context.isHead
    for piece in work.pieces where sendsBody { writeChunk(connection, piece, connection.isChunked) }
    if work.isFinished {
      if connection.isChunked, sendsBody { ResponseWriter.lastChunk(into: &staging.pointee) }
      connection.stream = nil
    }
    turn(connection)
  }

  private func writeChunk(_ connection: Connection, _ piece: [UInt8], _ isChunked: Bool) {
    guard isChunked else { return write(connection, piece) }
    guard !piece.isEmpty else { return }
    ResponseWriter.chunkHead(piece.count, into: &staging.pointee)
    write(connection, piece)
    ResponseWriter.chunkEnd(into: &staging.pointee)
  }

  /// Tells the writer of a stream that all was sent.
  func tellWritable(_ stream: ResponseStream) {
    stream.noteWaiting(0)?()
  }
}
