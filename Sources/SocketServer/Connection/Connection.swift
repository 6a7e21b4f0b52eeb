import HTTP1

/// One accepted connection: owned by its event loop, which alone reads and changes it.
///
/// Between requests it holds no buffer. `@unchecked Sendable`: other threads pass it along in
/// responders and messages, and use only what is `let`.
final class Connection: @unchecked Sendable {
  let loop: EventLoop
  let descriptor: Int32
  /// Distinguishes it from others that had the same descriptor.
  let generation: UInt32
  let peer: PeerAddress
  let service: Service

  private var reader = RequestReader()
  /// What the reader is in the middle of.
  private(set) var reading = Reading.nothing
  /// The bytes that the reader keeps.
  private(set) var readerBytes = 0
  /// Serves the request whose body is being read; nil for the listener's handler.
  var handler: Handler?
  /// What was received behind a request that is not answered yet.
  var backlog: [UInt8] = []
  /// What waits to be sent; nil for nothing.
  var output: OutputQueue?

  /// The number of the request that was last handed out; a response must name it.
  var request: UInt32 = 0
  var context = RequestContext()
  var onClose: (@Sendable () -> Void)?
  var stream: ResponseStream?
  /// The stream's content is sent in chunks.
  var isChunked = false

  var isAwaitingResponse = false
  private(set) var phase = Phase.serving
  /// epoll has reported that the peer shut its side, perhaps after bytes not read yet.
  var sawHangup = false
  /// The peer's last byte was read.
  var sawEnd = false
  /// There may be bytes to read that no edge will tell of.
  var mayRead = false
  /// It is in the loop's list of connections to be processed again.
  var isDeferred = false
  var lingerBytes = 0
  /// The bytes of it that the server's sum has.
  var accountedBytes = 0
  /// Sending failed: nothing more can be said.
  var isBroken = false

  /// What the deadline is for, and when it is, in the loop's milliseconds; `.max` for never.
  var wait = Wait.header
  var deadline = UInt64.max
  /// The tick of the wheel's slot it is in; 0 for none.
  var timerTick: UInt64 = 0
  var timerNext: Int32 = -1
  var timerPrevious: Int32 = -1
  /// The time that the bytes of the body have earned so far, in milliseconds.
  var bodyEarned: UInt64 = 0
  /// The bytes of the head of the request that was last handed out.
  var headBytes = 0

  init(
    loop: EventLoop, descriptor: Int32, generation: UInt32, peer: PeerAddress, service: Service
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.generation = generation
    self.peer = peer
    self.service = service
  }

  var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }

  /// Reads on in what came, which is not nothing.
  ///
  /// The reader is taken out for the time, so that no access to it lasts longer than a load or store.
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

  /// The bytes of the body being read that have come.
  var bodyBytes: Int { reader.bodyBytes }

  /// The bytes that are known to follow of the body being read.
  var expectedBodyBytes: Int { reader.expectedBodyBytes }

  /// Has the body that follows decoded.
  func decodeBody(with decoder: any BodyDecoder) {
    var reader = self.reader
    reader.decodeBody(with: decoder)
    self.reader = reader
  }

  /// Has the body that follows dropped.
  func discardBody() {
    var reader = self.reader
    reader.discardBody()
    self.reader = reader
  }

  /// Forgets what came of a request that is not complete.
  func forgetRequest() {
    reader = RequestReader()
    handler = nil
    noteReader(.nothing, 0)
  }

  /// The bytes that it alone holds of what was received and of what is to be sent.
  var bufferedBytes: Int {
    readerBytes + backlog.count + (output?.ownedCount ?? 0)
      + (isAwaitingResponse || stream != nil ? headBytes : 0)
  }

  var isClosed: Bool { phase == .closed }

  /// Goes on to a later phase; there is no way back.
  func advance(to phase: Phase) { self.phase = max(self.phase, phase) }

  /// Whether the next request can be read.
  var canServe: Bool {
    phase == .serving && !isAwaitingResponse && stream == nil && output == nil && !isBroken
  }

  /// What is to be done with a connection that can neither read nor write more now.
  func nextAction(isDraining: Bool) -> Action {
    if isBroken || isClosed { return .close }
    if output != nil { return .wait(.write) }
    if isAwaitingResponse || stream != nil { return .wait(.response) }
    if phase == .closing || (isDraining && isIdle) { return .linger }
    if sawEnd, backlog.isEmpty { return .close }
    switch reading {
    case .body: return .wait(.body)
    case .head: return .wait(.header)
    case .nothing: return .wait(request == 0 ? .header : .idle)
    }
  }

  /// Whether nothing of a request is there and no response is due.
  var isIdle: Bool {
    !isAwaitingResponse && reading == .nothing && output == nil && backlog.isEmpty
  }
}

/// The life of a connection.
enum Phase: UInt8, Comparable {
  case serving
  /// Nothing more is read as a request, and the connection ends when all is sent.
  case closing
  /// The server's side is shut, what comes is dropped.
  case lingering
  case closed

  static func < (lhs: Phase, rhs: Phase) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What the loop does with a connection that has been processed.
enum Action {
  case wait(Wait)
  case linger
  case close
}

/// What a reader is in the middle of.
enum Reading {
  case nothing
  case head
  case body
}

/// What a connection waits for.
enum Wait {
  /// The handler: as long as it takes.
  case response
  /// The next request.
  case idle
  /// The rest of a head.
  case header
  /// The rest of a body.
  case body
  /// The peer to take what is to be sent.
  case write
  /// The peer to close.
  case linger
}

/// What the connections of one listener have in common.
final class Service: Sendable {
  let handler: Handler
  let headCheck: HeadCheck?

  init(_ listener: Listener) {
    handler = listener.handler
    headCheck = listener.headCheck
  }
}
