import Dispatch
import Glibc
import Synchronization

/// Writes a line for each request, without ever making one wait.
///
/// Lines are collected and written together by a queue of its own. When their reader does not
/// keep up, lines are dropped and counted rather than kept without bound.
public final class AccessLog: Sendable {
  private let descriptor: Int32
  private let bytesMax: Int
  private let queue = DispatchQueue(label: "livedelta.log")
  private let state = Mutex(State())

  private struct State {
    var lines: [UInt8] = []
    var isScheduled = false
    var dropped = 0
  }

  /// Writes to a descriptor, which stays the caller's; so does it to ignore SIGPIPE.
  ///
  /// - Parameters:
  ///   - descriptor: An open file, terminal or pipe.
  ///   - bytesMax: Bytes that may wait to be written.
  public init(descriptor: Int32, bytesMax: Int = 1 << 20) {
    self.descriptor = descriptor
    self.bytesMax = bytesMax
  }

  /// Lines that were dropped.
  public var droppedCount: Int { state.withLock { $0.dropped } }

  /// Takes a line, which ends with a line feed.
  func append(_ line: [UInt8]) {
    let schedules = state.withLock { state in
      guard state.lines.count + line.count <= bytesMax else {
        state.dropped += 1
        return false
      }
      state.lines += line
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if schedules { queue.async { self.write() } }
  }

  /// Waits until all lines are written, but not for a reader that takes nothing.
  public func flush(within limit: Duration = .seconds(1)) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    let (seconds, attoseconds) = limit.components
    let milliseconds = Int(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  private func write() {
    let lines = state.withLock { state in
      state.isScheduled = false
      defer { state.lines = [] }
      return state.lines
    }
    var rest = lines[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&entry, 1, 1000)
        continue
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
