import Dispatch
import Glibc
import Synchronization

/// The signals that end the program.
///
/// The first starts a graceful shutdown, the second a fast one. A third ends the process
/// immediately; no acknowledged write is lost.
///
/// A signal handler writes each signal to a pipe. A Dispatch signal source would miss one that
/// arrives before the main thread has blocked it, and merge two that arrive together.
///
/// `@unchecked Sendable`: the source is only retained.
struct Signals: @unchecked Sendable {
  private let signals: AsyncStream<Int32>
  private let source: any DispatchSourceRead

  /// Installs the handlers; call it once.
  init(_ numbers: [Int32]) {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "no pipe for signals: \(errno)")
    // Fails only for what is no descriptor.
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

  /// Waits for the next signal; returns `nil` if the task is cancelled.
  func next() async -> Int32? {
    for await number in signals { return number }
    return nil
  }
}

/// The descriptor that signal handlers write to.
private let signalPipe = Atomic<Int32>(-1)

/// Async-signal-safe (signal-safety(7)); preserves `errno`.
private let note: @convention(c) (Int32) -> Void = { number in
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  // Fails only when 64 KiB of signals are pending.
  _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = before
}
