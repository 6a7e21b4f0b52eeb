import Glibc

/// Makes the names in directories durable.
enum DirectorySync {
  /// Makes the names in a directory survive a loss of power: a file that is durable itself may lose its name.
  ///
  /// - Returns: 0, also where the file system cannot do that, or an `errno`.
  static func sync(_ path: String) -> CInt {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return errno }
    defer { close(directory) }
    return fsync(directory) == 0 || errno == EINVAL ? 0 : errno
  }

  /// The directory that a path is in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
