import Glibc
import Synchronization

/// Room on the disk that is kept for deletions: a file that is emptied when the disk is full.
///
/// What is deleted is first written, to the log. On a full disk nothing could be deleted, and nothing make room. A file
/// that cannot be made or is not as long as it should be is no fault: deletions then fail as other writes do.
final class DiskReserve: Sendable {
  private let path: String
  private let state = Mutex(State())

  private struct State {
    /// Whether it is less than it should be.
    var isShort = true
    /// Whether it was given to a deletion, which is done.
    var isReleased = false
    /// When to try again to take what is missing.
    var next = ContinuousClock.now
  }

  /// The size of the file in bytes where there is room for it.
  static let bytes = 1 << 20
  /// The least that is worth keeping.
  private static let bytesMin = 64 << 10

  /// Creates a reserve without room, in a file that others cannot read.
  init(path: String) { self.path = path }

  /// Gives the room back to the disk; false if there was none.
  func release() -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0, truncate(path, 0) == 0 else {
      return false
    }
    state.withLock { ($0.isShort, $0.isReleased) = (true, true) }
    return true
  }

  /// Takes what is missing of the room, if there is some: at once after a deletion, else once a second.
  ///
  /// - Parameter makeRoom: Called before, after a deletion.
  func refill(_ makeRoom: () -> Void) {
    let isReleased = state.withLock { state -> Bool? in
      guard state.isShort, state.isReleased || state.next <= .now else { return nil }
      defer { (state.isReleased, state.next) = (false, .now + .seconds(1)) }
      return state.isReleased
    }
    guard let isReleased else { return }
    if isReleased { makeRoom() }
    fill()
  }

  /// Takes as much of the room as there is, and leaves as much to others: what is written needs some, too, also where it
  /// takes the place of what was deleted.
  func fill() {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes = min(Self.bytes, Self.room(of: file) / 2)
    while bytes >= Self.bytesMin {
      if posix_fallocate(file, 0, off_t(bytes)) == 0 {
        return state.withLock { $0.isShort = bytes < Self.bytes }
      }
      bytes /= 2
    }
  }

  /// The bytes that a file has and those that are free where it is.
  private static func room(of file: CInt) -> Int {
    var (status, disk) = (stat(), statvfs())
    guard fstat(file, &status) == 0, fstatvfs(file, &disk) == 0 else { return 0 }
    return Int(status.st_size) + Int(disk.f_bavail) * Int(disk.f_frsize)
  }
}
