import Glibc

/// Creates files and directories that only their owner can access, whatever the umask.
enum OwnerOnly {
  private static let fileMode: mode_t = 0o600
  private static let directoryMode: mode_t = 0o700

  /// Creates an empty file; an existing file is not changed.
  ///
  /// SQLite gives the write-ahead log and the shared memory the mode of the database, so only
  /// the database must be created in this way.
  ///
  /// - Returns: 0, or an `errno`.
  static func createFile(_ path: String) -> CInt {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
    guard file >= 0 else { return errno == EEXIST ? 0 : errno }
    defer { close(file) }
    // The umask may have removed permissions of the owner.
    return fchmod(file, fileMode) == 0 ? 0 : errno
  }

  /// Creates a directory; returns 0, or an `errno`.
  static func makeDirectory(_ path: String) -> CInt {
    guard mkdir(path, directoryMode) == 0, chmod(path, directoryMode) == 0 else { return errno }
    return 0
  }

  /// Removes all permissions of others from a file.
  ///
  /// - Returns: 0, also if the file does not exist, or an `errno`.
  static func restrictFile(_ path: String) -> CInt {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? 0 : errno }
    guard status.st_mode & 0o077 != 0 else { return 0 }
    return chmod(path, fileMode) == 0 ? 0 : errno
  }
}
