import Glibc
import HTTP1

extension EventLoop {
  /// Sends the head of a streamed response, if its request is still awaiting one.
  func open(_ stream: ResponseStream, _ head: HTTPResponse) {
    guard let connection = connection(stream.connection), connection.isAwaitingResponse,
      connection.request == stream.request
    else {
      stream.close()?()
      return
    }
    connection.onHangup = nil
    let framing: ResponseFraming = connection.context.version == .http10 ? .close : .chunked
    if closes(connection) || framing == .close { connection.advance(to: .closing) }
    ResponseWriter.head(
      head, to: connection.context, dateLine: dateLine(), framing: framing,
      closes: connection.phase == .closing, into: &outputBuffer.value)
    connection.reply = .stream(stream, isChunked: framing == .chunked)
    limitUnsent(connection)
    flush(connection, more: false)
    guard !connection.sawHangup else { return close(connection) }
    pump(stream)
  }

  /// Limits how much the kernel buffers for a slow reader.
  private func limitUnsent(_ connection: Connection) {
    if case .unix = connection.peer { return }
    ListeningSocket.setOption(
      connection.descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT,
      Int32(clamping: limits.streamBytesMax))
  }

  /// Sends what has been written to a stream.
  func pump(_ stream: ResponseStream) {
    guard let connection = connection(stream.connection),
      case .stream(let current, let isChunked) = connection.reply, current === stream
    else { return }
    let work = stream.takeWork()
    if work.aborts { return reset(connection) }
    let sendsBody = !connection.context.isHead
    for piece in work.pieces where sendsBody { writeChunk(connection, piece, isChunked) }
    if work.isFinished {
      if isChunked, sendsBody { ResponseWriter.lastChunk(into: &outputBuffer.value) }
      connection.reply = .nothing
    }
    process(connection)
  }

  private func writeChunk(_ connection: Connection, _ piece: [UInt8], _ isChunked: Bool) {
    guard isChunked else { return write(connection, piece) }
    guard !piece.isEmpty else { return }
    ResponseWriter.chunkHead(piece.count, into: &outputBuffer.value)
    write(connection, piece)
    ResponseWriter.chunkEnd(into: &outputBuffer.value)
  }

  /// Notifies the writer of a stream that all output was sent.
  func notifyWritable(_ stream: ResponseStream) {
    stream.noteWaiting(0)?()
  }
}
