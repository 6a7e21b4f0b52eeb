import HTTP1

/// An accepted connection, which its event loop alone has.
///
/// A connection holds no buffer between requests.
final class Connection {
  let handle: ConnectionHandle
  let descriptor: Int32
  let token: UInt64
  let service: Service

  private var reader = RequestReader()
  /// The part of a request that the reader is in.
  private(set) var reading = Reading.nothing
  private(set) var readerBytes = 0
  /// Handles the request whose body is being read; `nil` for the listener's handler.
  var handler: Handler?
  /// Bytes received after a request that has not been answered yet.
  var backlog: [UInt8] = []
  /// The unsent output, or `nil` if there is none.
  var output: OutputQueue?

  /// The number of the latest request passed to a handler; a response must carry the same one.
  var request: UInt32 = 0
  var context = RequestContext()
  var onHangup: (@Sendable (Hangup) -> Void)?
  /// What is owed to the peer before the next request is read.
  var reply = Reply.nothing
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

  init(_ handle: ConnectionHandle, _ service: Service) {
    self.handle = handle
    self.service = service
    (descriptor, token) = (handle.descriptor, handle.token)
  }

  var peer: PeerAddress { handle.peer }

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

  func decodeBody(with decoder: any BodyDecoder) {
    var reader = self.reader
    reader.decodeBody(with: decoder)
    self.reader = reader
  }

  func discardBody() {
    var reader = self.reader
    reader.discardBody()
    self.reader = reader
  }

  /// Discards what has been received of an incomplete request.
  func forgetRequest() {
    reader = RequestReader()
    handler = nil
    if case .undecided = reply { reply = .nothing }
    noteReader(.nothing, 0)
  }

  /// The received and unsent bytes that this connection alone holds.
  var bufferedBytes: Int {
    readerBytes + backlog.count + (output?.ownedCount ?? 0)
      + (isServed ? headBytes : 0)
  }

  var isClosed: Bool { phase == .closed }

  /// Whether a handler has the latest request and has not responded yet.
  var isAwaitingResponse: Bool { if case .response = reply { true } else { false } }

  /// The stream that is the response to the latest request.
  var stream: ResponseStream? { if case .stream(let stream, _) = reply { stream } else { nil } }

  /// Whether a handler has the latest request, and its response is incomplete.
  var isServed: Bool {
    switch reply {
    case .response, .stream: true
    case .nothing, .undecided: false
    }
  }

  private var owesNothing: Bool { if case .nothing = reply { true } else { false } }

  /// Moves on to a later phase; earlier phases are ignored.
  func advance(to phase: Phase) { self.phase = max(self.phase, phase) }

  /// Whether the next request may be read.
  var canServe: Bool {
    phase == .serving && owesNothing && output == nil
  }

  /// The next action for a connection that can currently neither read nor write.
  func nextAction(isDraining: Bool) -> Action {
    if phase >= .broken { return .close }
    if output != nil { return .wait(.write) }
    if !owesNothing { return .wait(.response) }
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

enum Phase: UInt8, Comparable {
  case serving
  /// Reads no more requests, and ends when all output has been sent.
  case closing
  /// The server has shut down its side and discards what it receives.
  case lingering
  /// Sending has failed, so that nothing more can be sent.
  case broken
  case closed

  static func < (lhs: Phase, rhs: Phase) -> Bool { lhs.rawValue < rhs.rawValue }
}

enum Reply {
  case nothing
  /// A decision whether the body that follows is read.
  case undecided
  /// The response to the latest request, which a handler has.
  case response
  /// The rest of a response that is written in pieces.
  case stream(ResponseStream, isChunked: Bool)
}

/// What the loop does next with a connection it has processed.
enum Action {
  case wait(Wait)
  case linger
  case close
}

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
  case header
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
