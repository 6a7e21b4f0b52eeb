import Dispatch
import Glibc
import Synchronization

/// The signals by which a program is told to end.
///
/// The first one is told, so that the program can end in order. A second one ends it on the spot:
/// whoever sends it has no patience left, and nothing acknowledged is lost by it.
struct Signals {
  private let first: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  /// Catches these signals from now on.
  init(_ numbers: [Int32]) {
    let (first, continuation) = AsyncStream.makeStream(of: Int32.self)
    let wasTold = Told()
    self.first = first
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "livedelta.signals"))
      source.setEventHandler {
        if wasTold.flag.exchange(true, ordering: .relaxed) { _exit(128 + number) }
        continuation.yield(number)
      }
      source.resume()
      return source
    }
  }

  /// Waits for the first signal.
  func next() async -> Int32 {
    for await number in first { return number }
    return SIGTERM
  }

  private final class Told: Sendable {
    let flag = Atomic(false)
  }
}
