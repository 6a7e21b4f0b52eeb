import CEpoll
import Glibc
import HTTP1

extension EventLoop {
  /// The minimum cost of decoding part of a body, in requests.
  private static let decodingCost = 16
  /// The decoded bytes that count as one request.
  private static let decodedBytesPerRequest = 4 << 10
  /// The body bytes that count as one request.
  private static let bytesPerRequest = 8 << 10
  /// The most bytes received at once unless more of a body is known to follow.
  ///
  /// It is small because pipelined bytes are buffered while a request awaits its response.
  private static let receivedBytesMax = 16 << 10

  /// Handles the events epoll reports for a connection.
  func ready(_ connection: Connection, _ events: UInt32) {
    if events & cepoll_error != 0 { return close(connection) }
    if events & (cepoll_read_hangup | cepoll_hangup) != 0 {
      let isFirst = !connection.sawHangup
      connection.sawHangup = true
      // A peer that has shut down its side may still read, so a waiting request is answered. Only a
      // send, or a hang-up of both sides, shows that the peer no longer reads.
      if connection.isAwaitingResponse, events & cepoll_hangup != 0 { return close(connection) }
      if connection.stream != nil { return close(connection) }
      if isFirst { connection.onHangup?(.sending) }
    }
    if events & (cepoll_in | cepoll_read_hangup | cepoll_hangup) != 0 { connection.mayRead = true }
    process(connection)
  }

  /// Processes a connection: sends pending output, reads and handles requests, and sends their
  /// responses together.
  func process(_ connection: Connection) {
    guard !connection.isClosed else { return }
    if connection.phase == .lingering { return drop(connection) }
    sendWaiting(connection)
    current = connection
    var budget = requestsPerPass
    while budget > 0, connection.canServe, serveNext(connection, &budget) {}
    current = nil
    finishProcessing(connection)
    if budget <= 0, !connection.isClosed, connection.canServe { processLater(connection) }
  }

  /// Processes a connection again after other connections.
  func processLater(_ connection: Connection) {
    guard !connection.isDeferred else { return }
    connection.isDeferred = true
    deferred.append(connection)
  }

  /// Handles available bytes; returns whether there may be more.
  private func serveNext(_ connection: Connection, _ budget: inout Int) -> Bool {
    if !connection.backlog.isEmpty {
      let bytes = connection.backlog
      connection.backlog = []
      serve(connection, bytes.span, &budget)
      noteProgress(connection)
      return true
    }
    guard connection.mayRead else { return false }
    // Reading costs budget too, so that a fast sender does not starve other connections.
    budget -= 1
    let wanted = max(Self.receivedBytesMax, connection.expectedBodyBytes)
    let room = min(ReceiveBuffer.capacity, wanted)
    let count = buffer.receive(from: connection.descriptor, room: room)
    if count > 0 {
      // After a short read, an edge reports more bytes; after a hang-up there is no further edge.
      if count < room, !connection.sawHangup { connection.mayRead = false }
      budget -= count / Self.bytesPerRequest
      buffer.withBytes(count) { serve(connection, $0, &budget) }
      noteProgress(connection)
      return true
    }
    if count < 0, errno == EINTR { return true }
    connection.mayRead = false
    if count == 0 {
      noteEnd(connection)
    } else if errno != EAGAIN {
      connection.advance(to: .broken)
    }
    return false
  }

  /// Handles the end of the peer's input; complete requests are still answered.
  private func noteEnd(_ connection: Connection) {
    connection.sawEnd = true
    guard connection.reading != .nothing else { return }
    refuse(connection, ServerProblem(.malformed(.incomplete)))
  }

  /// Reads requests from received bytes and handles them in order.
  private func serve(_ connection: Connection, _ bytes: Span<UInt8>, _ budget: inout Int) {
    var position = 0
    while position < bytes.count, connection.phase == .serving {
      guard budget > 0, connection.canServe else {
        connection.backlog = bytes.extracting(position...).copied()
        return
      }
      let start = position
      let isAtStart = connection.reading == .nothing
      if isAtStart,
        let request = knownHeads.value.request(from: connection.descriptor, bytes, at: &position)
      {
        budget -= 1
        serve(connection, request)
        continue
      }
      let before = connection.readerBytes
      switch connection.readNext(bytes, at: &position, scratch: &scratch.value) {
      case .incomplete:
        let made = connection.readerBytes - before
        budget -= max(Self.decodingCost, made / Self.decodedBytesPerRequest)
        guard position < bytes.count else { return }
      case .head(let request):
        noteHead(connection, request, bodyFollows: position < bytes.count)
      case .request(let request):
        budget -= 1
        if isAtStart {
          let head = bytes.extracting(start..<position)
          knownHeads.value.keep(request, head, from: connection.descriptor)
        }
        serve(connection, request)
      case .discarded:
        connection.wait = .idle
      case .refused(let error):
        refuse(connection, ServerProblem(error))
      }
    }
  }

  private func serve(_ connection: Connection, _ request: HTTPRequest) {
    begin(connection, request)
    connection.reply = .response
    connection.headBytes = request.headBytes
    var charge: BodyCharge?
    if !request.body.isEmpty {
      // The reader has handed over the body; from now on it is charged to the request.
      account(connection)
      charge = BodyCharge(state.budget, count: request.body.count)
    }
    let handler = connection.handler ?? connection.service.handler
    connection.handler = nil
    handler(
      request,
      Responder(connection: connection.handle, request: connection.request, charge: charge))
  }

  private func begin(_ connection: Connection, _ request: borrowing HTTPRequest) {
    connection.request &+= 1
    connection.context = RequestContext(request)
    connection.headBytes = 0
    connection.wait = .response
  }

  /// Decides on a body before it is read (RFC 9110 §10.1.1).
  private func noteHead(_ connection: Connection, _ request: HTTPRequest, bodyFollows: Bool) {
    connection.bodyEarned = 0
    connection.wait = .body
    setDeadline(connection, now + timeouts.body)
    let declared = request.declaredLength ?? 0
    guard makeRoom(for: declared, of: declared, sparing: connection) else {
      let response = state.configuration.renderProblem(.full, connection.peer)
      return refuseBody(connection, request, response)
    }
    let decision = connection.service.headCheck?(request, connection.peer) ?? .read()
    carryOut(decision, connection, request, bodyFollows: bodyFollows)
  }

  private func carryOut(
    _ decision: BodyDecision, _ connection: Connection, _ request: HTTPRequest, bodyFollows: Bool
  ) {
    switch decision {
    case .refuse(let response): return refuseBody(connection, request, response)
    case .read(let decoder, let handler):
      if let decoder { connection.decodeBody(with: decoder) }
      connection.handler = handler
    case .later(let decide):
      connection.reply = .undecided
      let (handle, number) = (connection.handle, connection.request)
      return decide { decision in
        self.post(.run { self.goOn(handle, number, request, decision) })
      }
    }
    if request.expectsContinue, !bodyFollows { ResponseWriter.proceed(into: &outputBuffer.value) }
  }

  /// Goes on with a request whose body was to be decided on later.
  private func goOn(
    _ handle: ConnectionHandle, _ number: UInt32, _ request: HTTPRequest, _ decision: BodyDecision
  ) {
    guard let connection = connection(handle.token), case .undecided = connection.reply,
      connection.request == number
    else { return }
    connection.reply = .nothing
    connection.wait = .body
    setDeadline(connection, now + timeouts.body)
    carryOut(decision, connection, request, bodyFollows: !connection.backlog.isEmpty)
    process(connection)
  }

  /// Refuses a request by its head: a short body is discarded, any other closes the connection.
  ///
  /// After `Expect: 100-continue` a client may or may not send the body, so what follows is
  /// ambiguous.
  private func refuseBody(
    _ connection: Connection, _ request: HTTPRequest, _ response: HTTPResponse
  ) {
    begin(connection, request)
    connection.wait = .body
    connection.reply = .response
    let isShort = request.declaredLength.map { $0 <= limits.discardBytesMax } ?? false
    if isShort, !request.expectsContinue {
      connection.discardBody()
    } else {
      connection.context.keepsAlive = false
    }
    writeResponse(connection, request: connection.request, response)
  }

  /// Refuses a request, and reads no more requests.
  func refuse(_ connection: Connection, _ problem: ServerProblem) {
    beginRefusal(connection, problem)
    let response = state.configuration.renderProblem(problem, connection.peer)
    writeResponse(connection, request: connection.request, response)
  }

  /// Discards a request that is to be answered with a problem.
  func beginRefusal(_ connection: Connection, _ problem: ServerProblem) {
    state.configuration.onEvent?(.refused(problem, peer: connection.peer))
    connection.forgetRequest()
    connection.request &+= 1
    connection.context = RequestContext()
    connection.headBytes = 0
    connection.reply = .response
  }
}
