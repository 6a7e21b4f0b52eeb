import Dispatch

extension Shard {
  /// Whether nobody may begin to wait, and why; nil when somebody may.
  var waitRefusal: ServiceError? {
    let limit = context.limits.parkedMax
    if isReleasing { return .draining }
    return context.counters.parked.value < limit ? nil : .tooManyParked(limit: limit)
  }

  /// Evaluates a waiter, and lets it wait if there was nothing to tell.
  ///
  /// - Returns: Why it may not wait; it has not been answered then.
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
    waiters.insert(waiter, until: deadline)
    setTimer()
    return nil
  }

  /// Has all that wait for a collection evaluated: some at once, the others soon.
  func notify(_ client: ClientState, _ name: ResourceName, _ event: Waiter.Event) {
    let isRunning = waiters.hasNotifications
    waiters.notify(client, name, event)
    if !isRunning { notifyNext() }
  }

  /// How many waiters are evaluated before something else has its turn: about a millisecond's work.
  private static let notificationsPerTurn = 256

  /// Evaluates the next waiters that something happened to.
  private func notifyNext() {
    for _ in 0..<Self.notificationsPerTurn {
      guard let (waiter, event) = waiters.nextNotification() else { return }
      evaluate(waiter, event)
    }
    if waiters.hasNotifications { queue.async { self.notifyNext() } }
  }

  /// Tells a follower that its connection takes something again.
  func resume(_ id: UInt64) {
    if let waiter = waiters[id] { evaluate(waiter, .writable) }
  }

  /// Forgets a waiter whose reader is gone.
  func cancel(_ id: UInt64) {
    loadingReaders.remove(id)
    guard let waiter = waiters[id] else { return }
    remove(waiter)
    releaseIfIdle(waiter.client)
  }

  /// Releases all who wait, at random moments of a window, so that they do not come back in step.
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
    switch waiter.evaluate(event) {
    case .done: remove(waiter)
    case .wait(let deadline):
      waiters.setDeadline(of: waiter, deadline)
      setTimer()
    case .load(let requirements): load(requirements, for: waiter)
    }
    releaseIfIdle(waiter.client)
  }

  /// Loads collections that were evicted while a reader waited, or makes what takes long, and
  /// evaluates the reader again.
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
