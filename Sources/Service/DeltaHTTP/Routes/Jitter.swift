import Synchronization

/// Random numbers from one generator, for any thread.
final class Jitter: Sendable {
  private let generator: Mutex<any RandomNumberGenerator>

  init(_ generator: sending any RandomNumberGenerator) { self.generator = Mutex(generator) }

  func number(in range: ClosedRange<Int>) -> Int {
    generator.withLock { Int.random(in: range, using: &$0) }
  }
}
