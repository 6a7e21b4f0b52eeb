/// A rate limiter: a bucket that holds one second's worth of tokens and is refilled evenly.
struct TokenBucket {
  /// Tokens per second, which is also the capacity; 0 for no limit.
  let rate: Int
  private var level: Int
  private var time: Duration

  // A token is this many parts.
  private static let parts = 1_000_000

  /// A full bucket.
  init(rate: Int, now: Duration) {
    self.rate = rate
    level = rate * Self.parts
    time = now
  }

  /// Takes tokens if there is at least one, else returns the seconds until there is, rounded up; those that
  /// are missing are owed, and refilled first.
  mutating func take(_ count: Int = 1, at now: Duration) -> Int? {
    guard rate > 0 else { return nil }
    refill(now)
    guard level < Self.parts else {
      level -= count * Self.parts
      return nil
    }
    let microseconds = (Self.parts - level + rate - 1) / rate
    return (microseconds + Self.parts - 1) / Self.parts
  }

  /// Takes tokens that may be missing, and are owed then.
  mutating func owe(_ count: Int, at now: Duration) {
    guard rate > 0 else { return }
    refill(now)
    level -= count * Self.parts
  }

  /// Whether it is full: nothing was taken lately, and nothing is owed.
  func isFull(at now: Duration) -> Bool {
    rate == 0 || (now - time).microseconds >= microsecondsUntilFull
  }

  private var microsecondsUntilFull: Int { (rate * Self.parts - level + rate - 1) / rate }

  private mutating func refill(_ now: Duration) {
    let microseconds = min(max((now - time).microseconds, 0), microsecondsUntilFull)
    level = min(rate * Self.parts, level + microseconds * rate)
    time = max(time, now)
  }
}

extension Duration {
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
