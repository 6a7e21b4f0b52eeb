import Dispatch
import Glibc
import Synchronization

/// The signals by which a program is told to end.
///
/// The first is told, so that the program can end in order, and the second, so that it can do so at
/// once. A third ends it on the spot: nothing acknowledged is lost by it.
///
/// `@unchecked Sendable`: the sources are only kept.
struct Signals: @unchecked Sendable {
  private let told: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  /// Catches these signals from now on.
  init(_ numbers: [Int32]) {
    let (told, continuation) = AsyncStream.makeStream(of: Int32.self)
    let count = Count()
    self.told = told
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "livedelta.signals"))
      source.setEventHandler {
        if count.value.wrappingAdd(1, ordering: .relaxed).newValue > 2 { _exit(128 + number) }
        continuation.yield(number)
      }
      source.resume()
      return source
    }
  }

  /// Waits for the next signal; nil when the task is cancelled.
  func next() async -> Int32? {
    for await number in told { return number }
    return nil
  }

  private final class Count: Sendable {
    let value = Atomic(0)
  }
}
