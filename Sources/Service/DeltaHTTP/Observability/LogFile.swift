import Glibc

/// The open file that a log is written to.
///
/// A file with a path is opened again when something else has its name: whoever rotates logs moves
/// it away, and the next lines go to a new one.
struct LogFile: ~Copyable, Sendable {
  private(set) var descriptor: Int32
  private let path: String?
  /// Whether the path could not be opened again.
  private var isLost = false

  /// Writes to an open file, terminal or pipe, which the caller keeps open.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    path = nil
  }

  /// Appends to the file at a path, creating it if needed.
  init(path: String) throws(LogFileError) {
    let opened = Self.open(path)
    guard opened >= 0 else { throw LogFileError(path: path, number: errno) }
    descriptor = opened
    self.path = path
  }

  deinit { if path != nil { _ = close(descriptor) } }

  /// Opens the path again if it no longer names the open file; the file is kept if that fails.
  ///
  /// - Returns: Why it failed, unless it failed for the last batch, too.
  mutating func follow() -> LogFileError? {
    guard let path, !isCurrent(path) else { return nil }
    let next = Self.open(path)
    guard next >= 0 else {
      defer { isLost = true }
      return isLost ? nil : LogFileError(path: path, number: errno)
    }
    // What was written before was taken, and is not told again.
    _ = close(descriptor)
    (descriptor, isLost) = (next, false)
    return nil
  }

  private func isCurrent(_ path: String) -> Bool {
    var (named, opened) = (stat(), stat())
    guard unsafe stat(path, &named) == 0, unsafe fstat(descriptor, &opened) == 0 else {
      return false
    }
    return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }

  private static func open(_ path: String) -> Int32 {
    unsafe Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
  }
}

/// Why the file of a log cannot be opened.
package struct LogFileError: Error, CustomStringConvertible {
  let path: String
  /// The `errno` of the system.
  let number: Int32

  /// The path and what the system says.
  package var description: String { unsafe "\(path): \(String(cString: strerror(number)))" }
}
