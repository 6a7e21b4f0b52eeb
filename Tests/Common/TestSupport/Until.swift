import Dispatch

/// A condition that a test waited for did not come to hold.
package struct NeverHeld: Error, CustomStringConvertible {
  package let description: String
}

/// A queue of its own, which always has a thread.
private let looks = DispatchQueue(label: "until")

/// Returns once the task is cancelled: what never happens by itself, as a peer's answer that does not come.
package func untilCancelled() async {
  let (never, hold) = AsyncStream<Void>.makeStream()
  for await _ in never {}
  hold.finish()
}

/// Returns once a condition holds.
///
/// It is looked at once a millisecond, so that a test which waits leaves its thread to the others; after two minutes the test
/// fails, so that a run never stands still.
package func until(
  isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: Int = #line,
  _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let end = clock.now.advanced(by: .seconds(120))
  while try await !condition() {
    guard clock.now < end else {
      throw NeverHeld(description: "\(file):\(line): what it waits for did not come in two minutes")
    }
    await withCheckedContinuation { continuation in
      looks.asyncAfter(deadline: .now() + .milliseconds(1)) {
        continuation.resume()
      }
    }
  }
}
