import HTTP1

/// An accepted connection, owned by its event loop, which alone reads and changes it.
///
/// A connection holds no buffer between requests. `@unchecked Sendable`: other threads only pass it
/// along in responders and messages, and read its `let` properties.
final class Connection: @unchecked Sendable {
  let loop: EventLoop
  let descriptor: Int32
  /// Distinguishes the connection from earlier ones with the same descriptor.
  let generation: UInt32
  let peer: PeerAddress
  let service: Service
  /// `nil` unless requests may be traced.
  let times: ConnectionTimes?

  private var reader = RequestReader()
  /// The part of a request that the reader is in.
  private(set) var reading = Reading.nothing
  /// The bytes that the reader holds.
  private(set) var readerBytes = 0
  /// Handles the request whose body is being read; `nil` for the listener's handler.
  var handler: Handler?
  /// Whether it is not decided yet whether the body that follows is read.
  var isUndecided = false
  /// Bytes received after a request that has not been answered yet.
  var backlog: [UInt8] = []
  /// The unsent output, or `nil` if there is none.
  var output: OutputQueue?

  /// The number of the latest request passed to a handler; a response must carry the same one.
  var request: UInt32 = 0
  var context = RequestContext()
  var onHangup: (@Sendable (Hangup) -> Void)?
  /// Called when the socket has taken all of the latest response, or never will.
  var onSent: (@Sendable () -> Void)?
  var stream: ResponseStream?
  /// Whether the stream is sent in chunks.
  var isChunked = false

  var isAwaitingResponse = false
  private(set) var phase = Phase.serving
  /// Whether epoll has reported that the peer shut down its side; unread bytes may remain.
  var sawHangup = false
  /// Whether the last byte from the peer has been read.
  var sawEnd = false
  /// Whether there may be bytes to read for which no further edge will be reported.
  var mayRead = false
  /// Whether the connection is in the loop's list of deferred connections.
  var isDeferred = false
  var lingerBytes = 0
  /// The bytes of this connection that are included in the server's budget.
  var accountedBytes = 0
  /// Whether sending has failed, so that nothing more can be sent.
  var isBroken = false

  var wait = Wait.header
  /// When the wait times out, in the loop's milliseconds; `.max` for never.
  var deadline = UInt64.max
  /// The tick of its slot in the timer wheel; 0 if it is in none.
  var timerTick: UInt64 = 0
  var timerNext: Int32 = -1
  var timerPrevious: Int32 = -1
  /// The extra time that received bytes have earned the body so far, in milliseconds.
  var bodyEarned: UInt64 = 0
  /// The size of the head of the latest request passed to a handler, in bytes.
  var headBytes = 0

  init(
    loop: EventLoop, descriptor: Int32, generation: UInt32, peer: PeerAddress, service: Service,
    accepted: UInt64?
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.generation = generation
    self.peer = peer
    self.service = service
    times = accepted.map { ConnectionTimes(accepted: $0) }
  }

  var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }

  /// Reads the next event from received bytes, which must not be empty.
  ///
  /// The reader is moved out meanwhile, so that each exclusive access is a single load or store.
  func readNext(
    _ bytes: Span<UInt8>, at position: inout Int, scratch: inout ReaderScratch
  ) -> RequestEvent {
    var reader = self.reader
    self.reader = RequestReader()
    let event = reader.next(bytes, at: &position, scratch: &scratch)
    switch event {
    case .request, .discarded, .refused: noteReader(.nothing, 0)
    case .head: noteReader(.body, 0)
    case .incomplete:
      noteReader(
        reader.isMidBody ? .body : reader.isMidRequest ? .head : .nothing, reader.bufferedBytes)
    }
    self.reader = reader
    return event
  }

  private func noteReader(_ reading: Reading, _ bytes: Int) {
    self.reading = reading
    readerBytes = bytes
  }

  /// The bytes received so far of the body being read.
  var bodyBytes: Int { reader.bodyBytes }

  /// The bytes of the body being read that are known to follow.
  var expectedBodyBytes: Int { reader.expectedBodyBytes }

  /// Decodes the body that follows.
  func decodeBody(with decoder: any BodyDecoder) {
    var reader = self.reader
    reader.decodeBody(with: decoder)
    self.reader = reader
  }

  /// Discards the body that follows.
  func discardBody() {
    var reader = self.reader
    reader.discardBody()
    self.reader = reader
  }

  /// Discards what has been received of an incomplete request.
  func forgetRequest() {
    reader = RequestReader()
    handler = nil
    isUndecided = false
    noteReader(.nothing, 0)
  }

  /// The received and unsent bytes that this connection alone holds.
  var bufferedBytes: Int {
    readerBytes + backlog.count + (output?.ownedCount ?? 0)
      + (isAwaitingResponse || stream != nil ? headBytes : 0)
  }

  var isClosed: Bool { phase == .closed }

  /// Moves on to a later phase; earlier phases are ignored.
  func advance(to phase: Phase) { self.phase = max(self.phase, phase) }

  /// Whether the next request may be read.
  var canServe: Bool {
    phase == .serving && !isAwaitingResponse && !isUndecided && stream == nil && output == nil
      && !isBroken
  }

  /// The next action for a connection that can currently neither read nor write.
  func nextAction(isDraining: Bool) -> Action {
    if isBroken || isClosed { return .close }
    if output != nil { return .wait(.write) }
    if isAwaitingResponse || isUndecided || stream != nil { return .wait(.response) }
    if phase == .closing || (isDraining && isIdle && !isNew) { return .linger }
    if sawEnd, backlog.isEmpty { return .close }
    switch reading {
    case .body: return .wait(.body)
    case .head: return .wait(.header)
    case .nothing: return .wait(request == 0 ? .header : .idle)
    }
  }

  /// Whether no request has begun on it.
  var isNew: Bool { request == 0 && reading == .nothing && phase == .serving }

  /// Whether there is no partial request, no pending response and no unsent output.
  var isIdle: Bool {
    !isAwaitingResponse && reading == .nothing && output == nil && backlog.isEmpty
  }
}

/// The life cycle of a connection.
enum Phase: UInt8, Comparable {
  case serving
  /// Reads no more requests, and ends when all output has been sent.
  case closing
  /// The server has shut down its side and discards what it receives.
  case lingering
  case closed

  static func < (lhs: Phase, rhs: Phase) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What the loop does next with a connection it has processed.
enum Action {
  case wait(Wait)
  case linger
  case close
}

/// The part of a request that a reader is in.
enum Reading {
  case nothing
  case head
  case body
}

/// What a connection is waiting for; determines its timeout.
enum Wait {
  /// The handler, which may take any time.
  case response
  /// The next request.
  case idle
  /// The rest of a head.
  case header
  /// The rest of a body.
  case body
  /// The peer to receive the output.
  case write
  /// The peer to close the connection.
  case linger
}

/// The settings shared by the connections of one listener.
final class Service: Sendable {
  let handler: Handler
  let headCheck: HeadCheck?

  init(_ listener: Listener) {
    handler = listener.handler
    headCheck = listener.headCheck
  }
}
