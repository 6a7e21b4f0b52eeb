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

  /// Replaces the file in one step; if that fails, the changes since the old position are sent again.
  ///
  /// It is synced, lest the loss of power leave an empty file.
  func save(_ position: String) {
    let next = path + ".next"
    let file = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let count = position.utf8.count
    let isWritten = position.withCString { write(file, $0, count) } == count && fdatasync(file) == 0
    close(file)
    if isWritten { rename(next, path) }
  }
}
