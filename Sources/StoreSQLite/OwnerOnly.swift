import Glibc

/// Files and directories that only their owner can use, whatever the umask.
enum OwnerOnly {
  private static let fileMode: mode_t = 0o600
  private static let directoryMode: mode_t = 0o700

  /// Creates an empty file; one that exists stays as it is.
  ///
  /// SQLite takes over the mode of a database for its log and its shared memory, so it is enough
  /// to create the database this way.
  ///
  /// - Returns: 0, or the `errno` of what failed.
  static func createFile(_ path: String) -> CInt {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
    guard file >= 0 else { return errno == EEXIST ? 0 : errno }
    defer { close(file) }
    // The umask may have taken the owner's own rights.
    return fchmod(file, fileMode) == 0 ? 0 : errno
  }

  /// Makes a directory.
  ///
  /// - Returns: 0, or the `errno` of what failed.
  static func makeDirectory(_ path: String) -> CInt {
    guard mkdir(path, directoryMode) == 0, chmod(path, directoryMode) == 0 else { return errno }
    return 0
  }

  /// Takes the rights of all others from a file that exists.
  ///
  /// - Returns: 0, also for a file that does not exist; or the `errno` of what failed.
  static func restrictFile(_ path: String) -> CInt {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? 0 : errno }
    guard status.st_mode & 0o077 != 0 else { return 0 }
    return chmod(path, fileMode) == 0 ? 0 : errno
  }
}
