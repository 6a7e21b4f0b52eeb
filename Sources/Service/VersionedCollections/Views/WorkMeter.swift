/// Why the work of an answer ended before there was a result.
package enum WorkStop: Error, Hashable, Sendable {
  /// It took more of the processor than it may.
  case tooMuch
  /// Nobody waits for it any more.
  case unwanted
}

/// The work of one answer: what it takes of the processor, and whether it goes on.
///
/// Views spend what they read, in bytes. Once in a while the meter reads a clock and looks whether somebody still wants
/// the answer; if not, or if it has cost too much, the work ends by an error, which no cache keeps. A meter belongs to
/// the thread that does the work.
package final class WorkMeter {
  /// What is looked at once in a while.
  package struct Watch {
    /// The time that the thread has had of the processor.
    let clock: () -> Duration
    /// Whether somebody waits for the answer; may let others have their turn.
    let goesOn: () -> Bool

    /// Creates a watch.
    package init(clock: @escaping () -> Duration, goesOn: @escaping () -> Bool) {
      (self.clock, self.goesOn) = (clock, goesOn)
    }
  }

  /// The bytes between two looks, some tenth of a millisecond.
  private static let interval = 64 << 10

  private let watch: Watch?
  private var limit: Duration?
  private let start: Duration
  private var left: Int
  /// Whether the same work was too much for somebody else.
  package let isSpent: Bool
  /// Why the work ended, if it did.
  package private(set) var stop: WorkStop?

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - watch: What is looked at.
  ///   - limit: The longest time on the processor; nil for any.
  ///   - isSpent: Whether that has passed already, as the same work was too much for somebody else.
  package init(_ watch: Watch, limit: Duration?, isSpent: Bool = false) {
    self.watch = watch
    start = watch.clock()
    self.limit = limit
    self.isSpent = isSpent
    left = isSpent ? 0 : Self.interval
  }

  private init() {
    (watch, start, limit, isSpent) = (nil, .zero, nil, false)
    left = Self.interval
  }

  /// A meter that never ends the work, where little is done.
  package static var unlimited: WorkMeter { WorkMeter() }

  /// The time on the processor so far.
  package var spent: Duration { watch.map { $0.clock() - start } ?? .zero }

  /// Counts work, in bytes that are read or in steps of about their cost.
  ///
  /// - Throws: `WorkStop` if it is not to go on.
  @inline(__always)
  package func spend(_ count: Int) throws(WorkStop) {
    left &-= count
    if left < 0 { try look() }
  }

  @inline(never)
  package func look() throws(WorkStop) {
    left = Self.interval
    guard let watch else { return }
    if stop == nil, !watch.goesOn() { stop = .unwanted }
    if stop == nil, isSpent || limit.map({ watch.clock() - start > $0 }) ?? false {
      stop = .tooMuch
    }
    guard let stop else { return }
    left = 0
    throw stop
  }

  /// Has work that was too much go on with another part of the answer, which may take as long again.
  package func renew() {
    guard !isSpent, stop == .tooMuch, let limit else { return }
    (stop, left) = (nil, Self.interval)
    self.limit = limit + spent
  }
}
