import HTTP1

extension EventLoop {
  /// How long no connection has to give way after too little could be freed, in milliseconds.
  private static let reclaimPause: UInt64 = 128

  /// Brings the sum of what is held up to date.
  func account(_ connection: Connection) {
    let change = connection.bufferedBytes - connection.accountedBytes
    guard change != 0 else { return }
    connection.accountedBytes += change
    state.budget.add(change)
  }

  /// Handles received bytes: those of a body extend its deadline, and what is kept of them needs room.
  func noteProgress(_ connection: Connection) {
    guard connection.reading != .nothing else { return }
    if connection.reading == .body { extendBodyTime(connection) }
    account(connection)
    guard !connection.isAwaitingResponse,
      !makeRoom(for: 0, of: connection.accountedBytes, sparing: connection)
    else { return }
    refuse(connection, .full)
  }

  /// Whether there is room for more bytes, if need be because others gave way.
  ///
  /// - Parameters:
  ///   - more: The bytes that are to be held.
  ///   - size: The bytes of the whole that they belong to; small ones have room for themselves.
  ///   - connection: Who asks, and does not give way itself.
  /// - Returns: Whether there is.
  func makeRoom(for more: Int, of size: Int, sparing connection: Connection) -> Bool {
    let budget = state.budget
    if budget.hasRoom(for: more, of: size) { return true }
    guard now >= nextReclaim else { return false }
    reclaim(sparing: connection) { budget.hasRoom(for: more, of: size) }
    if budget.hasRoom(for: more, of: size) { return true }
    nextReclaim = now + Self.reclaimPause
    for peer in peers where peer !== self {
      peer.mailbox.post(.run { loop in loop.reclaim(sparing: nil) { budget.hasLargeRoom } })
    }
    return false
  }

  /// Has connections give way, those that hold most first, until there is room.
  func reclaim(sparing spared: Connection?, until hasRoom: () -> Bool) {
    if hasRoom() { return }
    var found: [(connection: Connection, count: Int)] = []
    for case let connection? in connections where connection !== spared {
      let count = reclaimableBytes(connection)
      if count > 0 { found.append((connection, count)) }
    }
    found.sort { $0.count > $1.count }
    for entry in found where !hasRoom() { giveWay(entry.connection) }
  }

  /// The bytes that would be free if a connection gave way; 0 where it does not have to.
  private func reclaimableBytes(_ connection: Connection) -> Int {
    if connection.phase >= .lingering { return 0 }
    if let time = stalledTime(connection), time >= timeouts.stall {
      return connection.bufferedBytes + (connection.output?.count ?? 0)
    }
    return isServed(connection) ? connection.backlog.count : 0
  }

  /// Whether a request was handed out and its response is not complete.
  private func isServed(_ connection: Connection) -> Bool {
    connection.isAwaitingResponse || connection.stream != nil
  }

  /// How long a connection has waited for its peer without progress, in milliseconds; nil if it does
  /// not wait for it.
  ///
  /// A body that comes slower than the least rate makes as little progress as it uses up its time.
  private func stalledTime(_ connection: Connection) -> UInt64? {
    let limit: UInt64
    switch connection.wait {
    case .header where connection.reading == .head: limit = timeouts.header
    case .body where connection.reading == .body: limit = timeouts.body
    case .write: limit = timeouts.write
    default: return nil
    }
    let end = now + limit
    return end > connection.deadline ? end - connection.deadline : 0
  }

  /// Releases what a connection holds.
  ///
  /// Its answer is written on its own: another connection may be being processed.
  private func giveWay(_ connection: Connection) {
    if connection.wait == .write { return reset(connection) }
    connection.backlog = []
    if isServed(connection) {
      // RFC 9112 §9.3.2: a client asks again for what it pipelined and got no answer to.
      connection.context.keepsAlive = false
      connection.advance(to: .closing)
    } else {
      beginRefusal(connection, .full)
      let response = state.configuration.renderProblem(.full)
      local.append(.respond(connection, request: connection.request, response))
    }
    account(connection)
  }

  /// What is sent of a response: itself if there is room for it; else a refusal, if the request changed
  /// nothing; else nothing, and the connection ends.
  func affordable(_ given: HTTPResponse, _ connection: Connection) -> HTTPResponse? {
    let size = given.body.count
    guard size > BufferBudget.smallBytesMax, given.sendsBody(to: connection.context) else {
      return given
    }
    let more = given.pieces.reduce(0) { $0 + (state.budget.holds($1) ? 0 : $1.count) }
    if makeRoom(for: more, of: size, sparing: connection) { return given }
    if connection.context.isSafe { return state.configuration.renderProblem(.fullForResponse) }
    // A write that was carried out must not be told that it was not.
    connection.isAwaitingResponse = false
    connection.isBroken = true
    return nil
  }

  /// Breaks a stream off whose content has no room.
  func checkStream(_ connection: Connection) {
    guard connection.stream != nil, let output = connection.output,
      output.count > BufferBudget.smallBytesMax
    else { return }
    if !makeRoom(for: 0, of: output.count, sparing: connection) { connection.isBroken = true }
  }
}
