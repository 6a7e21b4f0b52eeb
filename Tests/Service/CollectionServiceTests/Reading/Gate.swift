import CollectionService
import Dispatch
import Synchronization
import TestSupport
import VersionedCollections

/// A list of so many items.
func list(_ count: Int) -> String {
  "[" + (0..<count).map { "{\"id\":\($0),\"t\":\"text \($0)\"}" }.joined(separator: ",") + "]"
}

/// Where encoders wait while it is closed.
final class Gate: Sendable {
  private let state = Mutex((isClosed: false, waitingCount: 0))
  private let semaphore = DispatchSemaphore(value: 0)

  func close() { state.withLock { $0.isClosed = true } }

  func open() {
    let waitingCount = state.withLock { state in
      defer { state = (false, 0) }
      return state.waitingCount
    }
    for _ in 0..<waitingCount { semaphore.signal() }
  }

  func pass() {
    let isClosed = state.withLock { state in
      if state.isClosed { state.waitingCount += 1 }
      return state.isClosed
    }
    if isClosed { semaphore.wait() }
  }

  /// Returns once an encoder waits.
  func untilWaiting() async throws {
    try await until { state.withLock({ $0.waitingCount }) != 0 }
  }
}

extension AnswerEncoders {
  /// The plain encoders, behind a gate for what is large.
  static func plain(gate: Gate) -> AnswerEncoders {
    AnswerEncoders(
      snapshot: { material, form in
        if material.contents.itemCount > 10 { gate.pass() }
        return AnswerEncoders.plain.snapshot(material, form)
      },
      delta: { material, form in
        if material.target.contents.itemCount > 10 { gate.pass() }
        return AnswerEncoders.plain.delta(material, form)
      })
  }
}
