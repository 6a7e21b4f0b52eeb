import Dispatch
import Glibc
import Synchronization

/// The signals that end a program.
///
/// The first starts an orderly shutdown and the second a fast one. A third ends the process
/// immediately: nothing acknowledged is lost by it.
///
/// A handler writes each into a pipe. Dispatch's own source would lose one that arrives before the
/// main thread has blocked it, and make one of two that come together.
///
/// `@unchecked Sendable`: the source is only kept.
struct Signals: @unchecked Sendable {
  private let signals: AsyncStream<Int32>
  private let source: any DispatchSourceRead

  /// Catches these signals from now on; called once in a program.
  init(_ numbers: [Int32]) {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "no pipe for signals: \(errno)")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.signals = signals
    let count = Atomic(0)
    source = DispatchSource.makeReadSource(
      fileDescriptor: ends[0], queue: DispatchQueue(label: "livedelta.signals"))
    source.setEventHandler {
      var number: UInt8 = 0
      guard read(ends[0], &number, 1) == 1 else { return }
      if count.wrappingAdd(1, ordering: .relaxed).newValue > 2 { _exit(128 + Int32(number)) }
      continuation.yield(Int32(number))
    }
    source.resume()
    for number in numbers { signal(number, note) }
  }

  /// Waits for the next signal; nil when the task is cancelled.
  func next() async -> Int32? {
    for await number in signals { return number }
    return nil
  }
}

/// Where signals are written to.
private let signalPipe = Atomic<Int32>(-1)

/// Does what a signal handler may do (signal-safety(7)), and leaves `errno` as it was.
private let note: @convention(c) (Int32) -> Void = { number in
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = before
}
