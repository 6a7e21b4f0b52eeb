import DeltaHTTP
import Logging
import Synchronization
import TestSupport
import Testing

@testable import livedelta

/// The log of messages for operators.
@Suite struct MessageLogTests {
  /// A log of two lines per second, with a clock that a test moves.
  private final class Setup: Sendable {
    let state = Mutex((second: Int64(0), lines: [JSONTree](), isFull: false))

    func log() -> MessageLog {
      MessageLog(level: .info, format: .json, linesPerSecondMax: 2) {
        self.state.withLock { $0.second }
      } output: { line in
        self.state.withLock { state in
          if !state.isFull { state.lines.append(JSONTree(line)) }
          return !state.isFull
        }
      }
    }

    func lines() -> [JSONTree] { state.withLock { $0.lines } }
  }

  @Test
  func
    `a frequent message is limited by the second, and the next line tells how many were suppressed`()
  {
    let setup = Setup()
    let log = setup.log()
    let logger = log.logger
    func tell(_ number: Int) { logger.warning("often \(number)") }
    for number in 0..<5 { tell(number) }
    logger.info("something else")
    logger.debug("nothing")
    #expect(
      setup.lines().map { $0["message"].string } == ["often 0", "often 1", "something else"])
    setup.state.withLock { $0.second += 1 }
    tell(5)
    tell(6)
    #expect(setup.lines().dropFirst(3).map { $0["suppressed"].string } == ["3", nil])
    #expect(log.suppressedCount == 3)
  }

  @Test func `a message that cannot be written is counted as suppressed`() {
    let setup = Setup()
    let log = setup.log()
    setup.state.withLock { $0.isFull = true }
    log.logger.warning("nobody reads this")
    setup.state.withLock { $0.isFull = false }
    log.logger.info("but this")
    #expect(setup.lines().map { $0["message"].string } == ["but this"])
    #expect(log.suppressedCount == 1)
  }

  @Test func `faults are limited by their kind alone`() {
    let setup = Setup()
    let logger = setup.log().logger
    for kind in ["a", "b", "c", "d"] { logger.error("fault", metadata: ["kind": "\(kind)"]) }
    #expect(setup.lines().compactMap { $0["kind"].string } == ["a", "b", "c", "d"])
  }
}
