import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// What one run of a replica runs on: its clock, its calendar and its queues, all in one thread.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Host: @unchecked Sendable {
  private final class Timer: @unchecked Sendable { var isCancelled = false }

  let world: World
  /// Whether it runs: whatever comes later is lost.
  private(set) var isAlive = true
  /// The difference of its calendar from the true one, in seconds.
  var dateShift: Int64 = 0
  /// By how much its clock goes too fast, in thousandths.
  var drift = 0
  /// The exchanges that are not over.
  var exchanges: [ObjectIdentifier: Exchange] = [:]
  /// Called after each piece of work of a queue.
  var afterWork: () -> Void = {}
  private let start: Microseconds
  private var generator: SeededGenerator
  /// The number of the queue whose work is being done; 0 for none.
  private var current = 0
  private var queueCount = 0
  /// When the work of each queue is done that it has been given.
  private var ends: [Int: Microseconds] = [:]

  init(_ world: World, _ generator: SeededGenerator) {
    (self.world, self.generator) = (world, generator)
    start = world.now
  }

  /// Makes a source of random numbers.
  func newGenerator() -> SeededGenerator { SeededGenerator(seed: generator.next()) }

  /// Ends the run: whatever is under way is lost.
  func kill() {
    isAlive = false
    for exchange in exchanges.values { exchange.forget() }
    exchanges = [:]
  }

  /// Seconds since 1970.
  var date: Int64 { World.firstDate + Int64(world.now / 1_000_000) + dateShift }

  private var uptime: Duration {
    .microseconds((world.now - start) * (1000 + drift) / 1000 + 10.seconds)
  }

  /// Its clock and its calendar.
  var time: TimeSource {
    TimeSource(uptime: { self.uptime }, date: { self.date }) { until, work in
      let (seconds, attoseconds) = (until - self.uptime).components
      let delay = Int(seconds).seconds + Int(attoseconds / 1_000_000_000_000)
      let timer = Timer()
      self.after(delay * 1000 / (1000 + self.drift) + 2) { if !timer.isCancelled { work() } }
      return { timer.isCancelled = true }
    }
  }

  /// Has something happen later, while it runs.
  func after(_ delay: Microseconds, _ work: @escaping () -> Void) {
    world.after(delay) { [self] in if isAlive { work() } }
  }

  /// Makes a queue: what a shard has to do is done at once, while a worker may take a while.
  func queue(_ label: String) -> WorkQueue {
    queueCount += 1
    let number = queueCount
    let isSlow = !label.contains("shard")
    return .simulated(
      .init(
        async: { [self] work in
          // What came before is done before.
          let delay = isSlow ? generator.below(700) : 0
          let end = max(ends[number] ?? 0, world.now + delay)
          ends[number] = end
          after(end - world.now) { [self] in
            current = number
            work()
            current = 0
            afterWork()
          }
        }, isCurrent: { [self] in current == number }))
  }
}
