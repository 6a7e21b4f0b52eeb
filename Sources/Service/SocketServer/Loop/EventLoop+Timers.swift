import CEpoll
import HTTP1

extension EventLoop {
  /// Sets the deadline of a connection; `.max` for none.
  func setDeadline(_ connection: Connection, _ deadline: UInt64) {
    connection.deadline = deadline
    guard deadline != .max else { return }
    if wheel.linkedCount == 0 { wheel.lastTick = now / TimerWheel.tickMilliseconds }
    let tick = wheel.place(deadline)
    if connection.timerTick != 0 {
      guard tick < connection.timerTick else { return }
      unlink(connection)
    }
    link(connection, tick)
    let moment = tick * TimerWheel.tickMilliseconds
    if moment < timerAt { setTimer(moment) }
  }

  private func link(_ connection: Connection, _ tick: UInt64) {
    let head = wheel.head(tick)
    connection.timerTick = tick
    connection.timerPrevious = -1
    connection.timerNext = head
    if let next = linked(head) { next.timerPrevious = connection.descriptor }
    wheel.setHead(tick, connection.descriptor)
    wheel.linkedCount += 1
  }

  private func linked(_ descriptor: Int32) -> Connection? {
    descriptor < 0 ? nil : connections[Int(descriptor)]
  }

  func unlink(_ connection: Connection) {
    guard connection.timerTick != 0 else { return }
    if let previous = linked(connection.timerPrevious) {
      previous.timerNext = connection.timerNext
    } else {
      wheel.setHead(connection.timerTick, connection.timerNext)
    }
    if let next = linked(connection.timerNext) {
      next.timerPrevious = connection.timerPrevious
    }
    connection.timerTick = 0
    wheel.linkedCount -= 1
  }

  /// Handles expired deadlines, and sets the timer for the next one.
  func timePassed() {
    let tick = now / TimerWheel.tickMilliseconds
    // One turn of the wheel visits every slot.
    wheel.lastTick = max(wheel.lastTick, tick - min(tick, UInt64(TimerWheel.slotCount)))
    while wheel.lastTick < tick {
      wheel.lastTick += 1
      for connection in due(wheel.lastTick) { visit(connection) }
    }
    if acceptAt <= now { resumeAccepting() }
    let next = wheel.nextTick.map { $0 * TimerWheel.tickMilliseconds } ?? .max
    setTimer(min(next, acceptAt))
  }

  private func due(_ tick: UInt64) -> [Connection] {
    var found: [Connection] = []
    var descriptor = wheel.head(tick)
    while let connection = linked(descriptor) {
      descriptor = connection.timerNext
      if connection.timerTick <= tick { found.append(connection) }
    }
    return found
  }

  private func visit(_ connection: Connection) {
    guard !connection.isClosed else { return }
    unlink(connection)
    if connection.deadline <= now {
      expire(connection)
    } else {
      setDeadline(connection, connection.deadline)
    }
  }

  /// Sets the timer to fire at a time; a manual clock needs no timer.
  func setTimer(_ moment: UInt64) {
    guard clock.onAdvance == nil, moment != timerAt else { return }
    timerAt = moment
    let wait = moment == .max ? 0 : max(1, moment &- min(now, moment))
    // Fails only for what is no timer or no time.
    _ = cepoll_timer_set(timer, wait)
  }

  /// Handles a wait that has timed out.
  private func expire(_ connection: Connection) {
    switch connection.wait {
    case .response:
      connection.deadline = .max
    case .header where connection.reading == .head:
      refuse(connection, .timeout("head"))
      process(connection)
    case .body:
      refuse(connection, .timeout("body"))
      process(connection)
    case .header, .idle, .linger:
      close(connection)
    case .write:
      reset(connection)
    }
  }

  /// Extends the deadline of a body by what its received bytes have earned.
  ///
  /// Bytes earn the time they take at the minimum rate, but the deadline is never later than one
  /// timeout from now: a body that arrives fast and then stalls gets no longer than one that never
  /// began.
  func extendBodyTime(_ connection: Connection) {
    guard connection.wait == .body else { return }
    let rate = max(1, limits.bodyBytesPerSecondMin)
    let earned = UInt64(connection.bodyBytes) * 1000 / UInt64(rate)
    let extended = connection.deadline + (earned - connection.bodyEarned)
    connection.bodyEarned = earned
    connection.deadline = min(extended, now + timeouts.body)
  }
}
