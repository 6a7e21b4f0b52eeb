import Dispatch
import VersionedCollections

extension Shard {
  /// The error for a request that wants to wait; nil if it may.
  var waitRefusal: ServiceError? {
    let limit = context.limits.parkedMax
    if isReleasing { return .draining }
    return context.counters.parked.value < limit ? nil : .tooManyParked(limit: limit)
  }

  /// Evaluates a waiter for the first time, and adds it unless it was answered.
  ///
  /// - Returns: The error if too many are waiting; the waiter has not been answered.
  func begin(_ waiter: Waiter) -> ServiceError? {
    defer { releaseIfIdle(waiter.client) }
    let deadline: Duration
    switch waiter.evaluate(.changed) {
    case .done: return nil
    case .wait(let until): deadline = until
    case .load: deadline = context.time.uptime()
    }
    guard context.counters.parked.add(1) <= context.limits.parkedMax else {
      context.counters.parked.add(-1)
      return .tooManyParked(limit: context.limits.parkedMax)
    }
    waiter.parkedTime?.begin(context.time.uptime())
    waiters.insert(waiter, until: isReleasing ? min(deadline, context.time.uptime()) : deadline)
    setTimer()
    return nil
  }

  /// Evaluates all waiters of a collection, the first of them immediately.
  func notify(_ client: ClientState, _ name: ResourceName, _ event: Waiter.Event) {
    let isRunning = waiters.hasNotifications
    waiters.notify(client, name, event, at: context.time.uptime())
    if !isRunning { notifyNext() }
  }

  /// The number of waiters evaluated before other work gets its turn, about a millisecond's work.
  private static let notificationsPerTurn = 256

  /// Evaluates the next waiters in the notification queue.
  private func notifyNext() {
    for _ in 0..<Self.notificationsPerTurn {
      guard let (waiter, event) = waiters.nextNotification() else { return }
      evaluate(waiter, event)
    }
    if waiters.hasNotifications { queue.async { self.notifyNext() } }
  }

  /// Resumes a follower whose connection is writable again.
  func resume(_ id: UInt64) {
    if let waiter = waiters[id] { evaluate(waiter, .writable) }
  }

  /// Answers a reader with what is known, once what it needs is loaded.
  func endWait(_ id: UInt64) {
    if loadingReaders[id] != nil { loadingReaders[id] = true }
    if let waiter = waiters[id] { evaluate(waiter, .waitEnded) }
  }

  /// Removes a waiter whose reader has disconnected.
  func cancel(_ id: UInt64) {
    loadingReaders[id] = nil
    guard let waiter = waiters[id] else { return }
    remove(waiter)
    releaseIfIdle(waiter.client)
  }

  /// Releases all waiters at random times in a window, so that readers do not return in step.
  func releaseAll(over window: Duration) {
    isReleasing = true
    let now = context.time.uptime()
    let milliseconds = Int(window / .milliseconds(1))
    for waiter in waiters.all {
      let share = Int.random(in: 0...milliseconds, using: &generator)
      waiters.setDeadline(of: waiter, now + .milliseconds(share))
    }
    setTimer()
  }

  private func evaluate(_ waiter: Waiter, _ event: Waiter.Event) {
    waiter.parkedTime?.update(context.time.uptime())
    // It ends with the answer, or here if there is none.
    if let notified = waiter.notified { waiter.stages?.begin(.wake, at: notified) }
    switch waiter.evaluate(event) {
    case .done:
      noteWake(of: waiter)
      remove(waiter)
    case .wait(let deadline):
      noteWake(of: waiter)
      // What happens meanwhile does not postpone the release.
      waiters.setDeadline(of: waiter, isReleasing ? min(deadline, waiter.deadline) : deadline)
      setTimer()
    case .load(let requirements): load(requirements, for: waiter)
    }
    releaseIfIdle(waiter.client)
  }

  private func noteWake(of waiter: Waiter) {
    guard let notified = waiter.notified else { return }
    waiter.notified = nil
    let now = context.time.uptime()
    context.counters.wakeTimes.note(now - notified)
    waiter.stages?.end(.wake, at: now)
  }

  /// Loads evicted collections or computes expensive answers for a waiter, then evaluates it again.
  private func load(_ requirements: Requirements, for waiter: Waiter) {
    if waiter.isLoading { return }
    waiter.isLoading = true
    withLoaded(waiter.client.name, requirements) { shard, error in
      waiter.isLoading = false
      guard shard.waiters[waiter.id] != nil else { return }
      shard.evaluate(waiter, error.map { .failed($0) } ?? .loaded)
    }
  }

  private func remove(_ waiter: Waiter) {
    if waiters.remove(waiter) { context.counters.parked.add(-1) }
  }

  // MARK: Time

  private func setTimer() {
    guard let deadline = waiters.earliestDeadline, timer.map({ deadline < $0.deadline }) ?? true
    else { return }
    timer?.task.cancel()
    let time = context.time
    let task = Task {
      await time.sleep(deadline)
      self.queue.async { self.timerFired(deadline) }
    }
    timer = (deadline, task)
  }

  private func timerFired(_ deadline: Duration) {
    if timer?.deadline == deadline { timer = nil }
    let now = context.time.uptime()
    while let waiter = waiters.nextDue(now) { evaluate(waiter, .deadline) }
    setTimer()
  }
}
