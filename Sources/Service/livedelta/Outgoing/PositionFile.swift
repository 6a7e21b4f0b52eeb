import Glibc

/// A file that keeps a position in the feed of changes.
struct PositionFile: Sendable {
  let path: String

  /// The position; an empty text if the file cannot be read, `nil` if there is none.
  func load() -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    // An error is told to the receiver: the feed begins with a reset.
    return (try? InputFile.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Replaces the file in one step, synced lest the loss of power leave an empty one.
  ///
  /// - Throws: `InputError` if it cannot; the changes since the old position are then sent again.
  func save(_ position: String) throws(InputError) {
    let next = path + ".next"
    let file = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw InputError(path: next, code: errno) }
    let count = position.utf8.count
    errno = ENOSPC  // A write that takes less than all says nothing else.
    let isWritten = position.withCString { write(file, $0, count) } == count && fdatasync(file) == 0
    let code = errno
    close(file)
    guard isWritten else { throw InputError(path: next, code: code) }
    guard rename(next, path) == 0 else { throw InputError(path: path, code: errno) }
  }
}
