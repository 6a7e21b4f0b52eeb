import CollectionService
import Dispatch
import Glibc
import HTTP1
import Synchronization
package import VersionedCollections

/// Logs a line for each request without ever blocking one.
///
/// Entries are collected, and formatted and written in batches on a queue of its own. If the log's
/// reader does not keep up, lines are dropped and counted rather than kept without bound. A file
/// that was moved away is opened again before the next batch.
package final class AccessLog: Sendable {
  package let format: LogFormat
  private let file: Mutex<LogFile>
  private let bytesMax: Int
  private let queue = DispatchQueue(label: "livedelta.log")
  private let state = Mutex(State())
  private let faults = Mutex<FaultSink?>(nil)

  private struct State {
    var entries: [LogEntry] = []
    /// The array reused for the next entries.
    var spare: [LogEntry] = []
    /// The approximate size of the entries not written yet, in bytes.
    var byteCount = 0
    var isScheduled = false
    var dropped = 0
  }

  /// How long entries are collected before a batch is written, unless there are many.
  private static let pause = DispatchTimeInterval.milliseconds(10)
  /// The size at which a batch is written, in bytes.
  private static let writtenBytes = 48 << 10

  /// Logs to a file descriptor; the caller must keep it open, and ignore SIGPIPE.
  package init(descriptor: Int32, bytesMax: Int = 4 << 20, format: LogFormat = .json) {
    file = Mutex(LogFile(descriptor: descriptor))
    self.bytesMax = bytesMax
    self.format = format
  }

  /// Appends to the file at a path, creating it if needed; throws `LogFileError` if it cannot be opened.
  package init(
    path: String, bytesMax: Int = 4 << 20, format: LogFormat = .json
  ) throws(LogFileError) {
    file = Mutex(try LogFile(path: path))
    self.bytesMax = bytesMax
    self.format = format
  }

  /// Sets what is called when lines cannot be written, or the file cannot be opened again.
  package func report(to sink: @escaping FaultSink) { faults.withLock { $0 = sink } }

  package var droppedCount: Int { state.withLock { $0.dropped } }

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

  /// Writes all pending lines, waiting at most `limit`.
  package func flush(within limit: Duration = .seconds(1)) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.write()
      done.signal()
    }
    let milliseconds = limit.microseconds / 1000
    guard done.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut else { return }
    tell("its last lines were not written in time")
  }

  private func tell(_ text: String) {
    faults.withLock(\.self)?(Fault(.accessLog, "the log of requests: \(text)"))
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
    if let error = file.withLock({ $0.follow() }) {
      tell("its file was not opened again: \(error)")
    }
    var text = LogText(format)
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

  /// Writes lines, which count as dropped if writing fails.
  private func write(_ text: inout LogText, _ lineCount: inout Int) {
    if let number = text.bytes.withBytes({ send($0) }) {
      state.withLock { [lineCount] in $0.dropped += lineCount }
      tell(unsafe "\(lineCount) lines were not written: \(String(cString: strerror(number)))")
    }
    text.removeAll()
    lineCount = 0
  }

  /// Writes bytes; returns the `errno` if that fails.
  private func send(_ bytes: Span<UInt8>) -> Int32? {
    let descriptor = file.withLock { $0.descriptor }
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
      guard count > 0 else { return errno }
      start += count
    }
    return nil
  }
}
