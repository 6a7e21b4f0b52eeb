import CollectionService
import Synchronization
import Telemetry
import VersionedCollections

/// Pushes the feed of changes to a receiver, at least once and in order.
///
/// One delivery is under way at a time. While it is, changes stay in the feed, which keeps each
/// collection once: nothing is queued here, writes are never held up, and a receiver that was
/// away gets the newest version of each collection. The position is saved after each delivery, and a
/// later run continues from there, as readers of `/v1/changes` do. Of several services over a shared
/// store one pushes at a time; see ``WebhookTurn``.
final class WebhookSender: Sendable {
  /// What became of deliveries.
  struct Counts {
    var accepted = 0
    var failedAttempts = 0
    var deadLetters = 0
  }

  private let service: DeltaService
  private let configuration: WebhookConfiguration
  private let attemptsMax: Int
  private let time: TimeSource
  private let faults: FaultSink
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let state = Mutex(Counts())
  /// Whether the last position could not be saved.
  private let isUnsaved = Mutex(false)

  /// How long to wait before the feed is followed again after it ended.
  private static let pause: Duration = .seconds(1)
  /// The longest wait between attempts, and the longest that a receiver can ask for.
  private static let (delayMax, retryAfterMax): (Duration, Duration) = (
    .seconds(300), .seconds(3600)
  )
  private static let lifetime: Duration = .seconds(86_400)
  private static let ping: Duration = .seconds(3600)

  init(
    _ service: DeltaService, _ configuration: WebhookConfiguration, attemptsMax: Int,
    time: TimeSource, faults: @escaping FaultSink
  ) {
    self.service = service
    self.configuration = configuration
    self.attemptsMax = max(1, attemptsMax)
    self.time = time
    self.faults = faults
  }

  var counts: Counts { state.withLock(\.self) }

  /// Starts to follow the feed; call it once.
  func start() {
    guard !service.isShared else {
      return task.withLock { $0 = Task { await runByTurns() } }
    }
    let mark = start(at: time.date())
    task.withLock {
      $0 = Task {
        await run(from: mark) { [self] mark in
          save(mark)
          return true
        }
      }
    }
  }

  /// Saves a position; the first failure in a row is a fault, and the next delivery tries again.
  private func save(_ mark: ChangeMark) {
    do {
      try configuration.save(mark.description)
      isUnsaved.withLock { $0 = false }
    } catch {
      let isFirst = isUnsaved.withLock { isUnsaved in
        defer { isUnsaved = true }
        return !isUnsaved
      }
      guard isFirst else { return }
      faults(
        Fault(
          .webhook, "the position is not saved, so a restart pushes changes again: \(error)"))
    }
  }

  /// Stops; a delivery under way is made again by a later run.
  func stop() async {
    guard let task = task.withLock({ $0.take() }) else { return }
    task.cancel()
    await task.value
  }

  /// Where to begin: a first run begins now, and one whose position is unreadable with a reset.
  ///
  /// Both are positions of another run of the service, for which the store is asked: what is
  /// written before the feed is followed is not missed.
  private func start(at date: Int64) -> ChangeMark? {
    ChangeMark(configuration.load() ?? "start.\(UInt64(clamping: date) * 1_000_000)")
      ?? ChangeMark("lost.0")
  }

  /// Saves a position; returns `false` if another service may push now.
  private typealias Save = @Sendable (ChangeMark) async -> Bool

  /// Pushes whenever it is this service's turn.
  ///
  /// A first turn begins now, and one whose position is unreadable with a reset.
  private func runByTurns() async {
    let turn = WebhookTurn(service, time, faults)
    while !Task.isCancelled {
      if let taken = await turn.take() {
        let mark = taken.position.flatMap { ChangeMark($0) ?? ChangeMark("lost.0") }
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await turn.keep() }
          group.addTask { await turn.lapse() }
          group.addTask { await self.run(from: mark) { await turn.save($0) } }
          await group.next()
          group.cancelAll()
        }
      }
      await time.sleep(time.uptime() + Self.pause)
    }
    await turn.passOn()
  }

  private func run(from mark: ChangeMark?, save: @escaping Save) async {
    var mark = mark
    while !Task.isCancelled {
      guard await follow(from: &mark, save) else { return }
      await time.sleep(time.uptime() + Self.pause)
    }
  }

  /// Follows the feed until it ends.
  ///
  /// - Returns: `false` if another service may push now, or this one was stopped.
  private func follow(from mark: inout ChangeMark?, _ save: Save) async -> Bool {
    let (events, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
    let ticket = service.changesTicket()
    defer { ticket.cancel() }
    let request = ChangesRequest(since: mark, ping: Self.ping, lifetime: Self.lifetime)
    service.followChanges(request, ticket) { error in
      guard error == nil else {
        continuation.finish()
        return nil
      }
      // Not writable until the event is delivered.
      return { event in
        continuation.yield(event)
        if case .end = event { continuation.finish() }
        return false
      }
    }
    for await event in events {
      for delivery in WebhookDelivery.all(for: event, date: time.date()) {
        guard await deliver(delivery) else { return false }
      }
      if let next = event.mark {
        mark = next
        guard await save(next) else { return false }
      }
      ticket.resume()
    }
    return true
  }

  /// Sends a delivery until it is accepted or given up; returns `false` if the sender was stopped before.
  private func deliver(_ delivery: WebhookDelivery) async -> Bool {
    for attempt in 1...attemptsMax {
      let fields = delivery.fields(configuration.secrets, date: time.date())
      let answer = await configuration.post(fields, delivery.body)
      if let answer, 200...299 ~= answer.status {
        state.withLock { $0.accepted += 1 }
        return true
      }
      if Task.isCancelled { return false }
      state.withLock { $0.failedAttempts += 1 }
      guard attempt < attemptsMax else {
        giveUp(delivery, answer)
        break
      }
      let delay = PostAnswer.delay(
        after: attempt, answer, max: Self.delayMax, retryAfterMax: Self.retryAfterMax)
      await time.sleep(time.uptime() + delay)
      if Task.isCancelled { return false }
    }
    return true
  }

  private func giveUp(_ delivery: WebhookDelivery, _ answer: PostAnswer?) {
    state.withLock { $0.deadLetters += 1 }
    let cause = PostAnswer.cause(answer)
    faults(Fault(.webhook, "\(delivery.id) was given up after \(attemptsMax) attempts: \(cause)"))
  }
}

extension ChangeEvent {
  /// The position after the event, if it has one.
  fileprivate var mark: ChangeMark? {
    switch self {
    case .changes(let changes): changes.last?.mark
    case .bookmark(let mark), .incomplete(let mark, _): mark
    case .ping, .end: nil
    }
  }
}
