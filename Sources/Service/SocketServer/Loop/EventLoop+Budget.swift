import HTTP1

extension EventLoop {
  /// How long to wait, in milliseconds, before reclaiming again after too little could be freed.
  private static let reclaimPause: UInt64 = 128

  /// Updates the budget with what a connection holds.
  func account(_ connection: Connection) {
    let change = connection.bufferedBytes - connection.accountedBytes
    guard change != 0 else { return }
    connection.accountedBytes += change
    state.budget.add(change)
  }

  /// Accounts for received bytes: body bytes extend the deadline, and what is kept needs room.
  func noteProgress(_ connection: Connection) {
    guard connection.reading != .nothing else { return }
    if connection.reading == .body { extendBodyTime(connection) }
    account(connection)
    guard !connection.isAwaitingResponse,
      !makeRoom(for: 0, of: connection.accountedBytes, sparing: connection)
    else { return }
    refuse(connection, .full)
  }

  /// Returns whether there is room for more bytes, reclaiming from other connections if necessary; a whole of
  /// a small size has reserved room.
  func makeRoom(for more: Int, of size: Int, sparing connection: Connection) -> Bool {
    let budget = state.budget
    if budget.hasRoom(for: more, of: size) { return true }
    guard now >= nextReclaim else { return false }
    reclaim(sparing: connection) { budget.hasRoom(for: more, of: size) }
    if budget.hasRoom(for: more, of: size) { return true }
    nextReclaim = now + Self.reclaimPause
    for peer in peers where peer !== self {
      peer.mailbox.post(.run { peer.reclaim(sparing: nil) { budget.hasLargeRoom } })
    }
    return false
  }

  /// Reclaims from connections, largest first, until there is room.
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

  /// The bytes that reclaiming from a connection would free; 0 if it is exempt.
  private func reclaimableBytes(_ connection: Connection) -> Int {
    if connection.phase >= .lingering { return 0 }
    if let time = stalledTime(connection), time >= timeouts.stall {
      return connection.bufferedBytes + (connection.output?.count ?? 0)
    }
    return connection.isServed ? connection.backlog.count : 0
  }

  /// How long a connection has waited for its peer without progress, in milliseconds; `nil` if it
  /// is not waiting for it.
  ///
  /// A body slower than the minimum rate counts as stalled for as much of its time as it has used
  /// up.
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

  /// Frees what a connection holds.
  ///
  /// Its response is posted as a message, because another connection may be in process.
  private func giveWay(_ connection: Connection) {
    if connection.wait == .write { return reset(connection) }
    connection.backlog = []
    if connection.isServed {
      // RFC 9112 §9.3.2: a client repeats pipelined requests that were not answered.
      connection.context.keepsAlive = false
      connection.advance(to: .closing)
    } else {
      beginRefusal(connection, .full)
      let response = state.configuration.renderProblem(.full, connection.peer)
      local.append(.respond(connection.handle, request: connection.request, response))
    }
    account(connection)
  }

  /// Returns the response if there is room for it; otherwise a refusal if the request is safe.
  ///
  /// If the request is not safe, returns `nil` and breaks the connection.
  func affordable(_ given: HTTPResponse, _ connection: Connection) -> HTTPResponse? {
    let size = given.body.count
    guard size > BufferBudget.smallBytesMax, given.sendsBody(to: connection.context) else {
      return given
    }
    let more = given.pieces.reduce(0) { $0 + (state.budget.holds($1) ? 0 : $1.count) }
    if makeRoom(for: more, of: size, sparing: connection) { return given }
    if connection.context.isSafe {
      return state.configuration.renderProblem(.fullForResponse, connection.peer)
    }
    // A write that was carried out must not be reported as refused.
    connection.reply = .nothing
    connection.advance(to: .broken)
    return nil
  }

  /// Breaks a stream whose unsent output exceeds the room.
  func checkStream(_ connection: Connection) {
    guard connection.stream != nil, let output = connection.output,
      output.count > BufferBudget.smallBytesMax
    else { return }
    if !makeRoom(for: 0, of: output.count, sparing: connection) { connection.advance(to: .broken) }
  }
}
