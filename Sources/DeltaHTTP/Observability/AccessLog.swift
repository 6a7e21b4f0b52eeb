import Dispatch
import Glibc
import HTTP1
import Synchronization

/// Writes a line for each request, without ever making one wait.
///
/// Requests are collected, and made lines and written together by a queue of its own. When the lines'
/// reader does not keep up, some are dropped and counted rather than kept without bound.
public final class AccessLog: Sendable {
  private let descriptor: Int32
  private let bytesMax: Int
  private let queue = DispatchQueue(label: "livedelta.log")
  private let state = Mutex(State())

  private struct State {
    var entries: [LogEntry] = []
    /// Memory for the next entries.
    var spare: [LogEntry] = []
    /// Of the entries that are not written yet.
    var byteCount = 0
    var isScheduled = false
    var dropped = 0
  }

  /// How long entries are collected, unless there are many.
  private static let pause = DispatchTimeInterval.milliseconds(10)
  /// The bytes of lines that are written at once.
  private static let writtenBytes = 48 << 10

  /// Writes to a descriptor, which stays the caller's; so does it to ignore SIGPIPE.
  ///
  /// - Parameters:
  ///   - descriptor: An open file, terminal or pipe.
  ///   - bytesMax: About how much memory the requests may take whose lines are not written yet.
  public init(descriptor: Int32, bytesMax: Int = 4 << 20) {
    self.descriptor = descriptor
    self.bytesMax = bytesMax
  }

  /// Lines that were dropped.
  public var droppedCount: Int { state.withLock { $0.dropped } }

  /// Takes a request that has ended.
  func append(_ entry: LogEntry) {
    let size = entry.byteCount
    let (isFirst, isUrgent) = state.withLock { state in
      guard state.byteCount + size <= bytesMax else {
        state.dropped += 1
        return (false, false)
      }
      let wasHalfFull = state.byteCount > bytesMax / 2
      state.entries.append(entry)
      state.byteCount += size
      defer { state.isScheduled = true }
      return (!state.isScheduled, !wasHalfFull && state.byteCount > bytesMax / 2)
    }
    if isUrgent {
      queue.async { self.write() }
    } else if isFirst {
      queue.asyncAfter(deadline: .now() + Self.pause) { self.write() }
    }
  }

  /// Writes all lines there are, and waits for it, but not for a reader that takes nothing.
  public func flush(within limit: Duration = .seconds(1)) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.write()
      done.signal()
    }
    let milliseconds = limit.microseconds / 1000
    _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  private func write() {
    var entries = state.withLock { state in
      state.isScheduled = false
      var entries: [LogEntry] = []
      swap(&entries, &state.spare)
      swap(&entries, &state.entries)
      return entries
    }
    if entries.isEmpty { return }
    var text = LogText()
    var lineCount = 0
    for entry in entries {
      text.append(entry)
      lineCount += 1
      guard text.bytes.count >= Self.writtenBytes else { continue }
      write(&text, &lineCount)
    }
    write(&text, &lineCount)
    let written = entries.reduce(0) { $0 + $1.byteCount }
    entries.removeAll(keepingCapacity: true)
    state.withLock { state in
      state.byteCount -= written
      state.spare = entries
    }
  }

  /// Writes lines; those of a log that cannot be written to count as dropped.
  private func write(_ text: inout LogText, _ lineCount: inout Int) {
    let isWritten = text.bytes.withBytes { send($0) }
    if !isWritten { state.withLock { [lineCount] in $0.dropped += lineCount } }
    text.removeAll()
    lineCount = 0
  }

  private func send(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.extracting(start...).withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&entry, 1, 1000)
        continue
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }
}
