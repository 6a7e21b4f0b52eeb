import Glibc
import Synchronization

/// The data directory of a store, locked for one process at a time.
///
/// The lock is held on an open file, so it is released however the process ends.
final class DataDirectory: Sendable {
  let path: String
  /// Files that remain accessible to others, each with the reason.
  let openFiles: [String]
  private let lock: CInt
  private let isReleased = Atomic<Bool>(false)

  var database: String { Self.database(in: path) }

  /// The size of the database in bytes, without its log; nil if it cannot be determined.
  var databaseBytes: Int? {
    var status = stat()
    return stat(database, &status) == 0 ? Int(status.st_size) : nil
  }

  /// What is kept for deletions when the disk is full.
  var reserve: DiskReserve { DiskReserve(path: path + "/reserve") }

  static func database(in path: String) -> String { path + "/livedelta.sqlite" }

  /// Creates the directory if needed, and locks it.
  ///
  /// Restricts an existing database's files to their owner; earlier releases left their mode to the
  /// umask.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - isReadOnly: Whether to leave it as it is; others may read it at the same time.
  ///   - makesDatabase: Whether to create the database if there is none, and to make a back-up one.
  /// - Throws: `StoreOpenError` if it cannot be used.
  init(
    _ path: String, isReadOnly: Bool = false, makesDatabase: Bool = true
  ) throws(StoreOpenError) {
    self.path = path
    if !isReadOnly { try Self.make(path) }
    let file = path + "/lock"
    lock =
      isReadOnly
      ? open(file, O_RDONLY | O_CLOEXEC) : open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if isReadOnly, lock < 0, errno == ENOENT {
      // A back-up, which nobody has opened yet.
      openFiles = []
      return
    }
    guard lock >= 0 else { throw Self.error(errno, file) }
    // The umask may have removed permissions of the owner, which the next process needs; it is told
    // if it cannot open the file.
    if !isReadOnly { _ = fchmod(lock, 0o600) }
    guard flock(lock, (isReadOnly ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      let holder = Self.holder(lock)
      close(lock)
      throw StoreOpenError(
        .inUse,
        "\(path) is in use by another livedelta\(holder): end that one, or choose another "
          + "directory with --data")
    }
    guard !isReadOnly else {
      openFiles = []
      return
    }
    do {
      openFiles = makesDatabase ? try Self.prepareFiles(path) : []
    } catch {
      close(lock)
      throw error
    }
    // The lock holds without the text, which only names its holder to others.
    let text = "\(getpid())\n"
    _ = ftruncate(lock, 0)
    _ = text.withCString { pwrite(lock, $0, strlen($0), 0) }
  }

  /// Creates the database file if needed, and restricts all files to their owner.
  ///
  /// - Returns: The files that remain accessible to others, each with the reason.
  private static func prepareFiles(_ path: String) throws(StoreOpenError) -> [String] {
    let database = database(in: path)
    let number = OwnerOnly.createFile(database)
    guard number == 0 else { throw error(number, database) }
    try BackupMark.clear(database)
    let files = ["", "-wal", "-shm", "-journal"].map { database + $0 } + [path + "/reserve"]
    return files.compactMap { file in
      let number = OwnerOnly.restrictFile(file)
      return number == 0 ? nil : "\(file): \(String(cString: strerror(number)))"
    }
  }

  /// Releases the directory.
  ///
  /// Unlocks explicitly, because a recently forked child may still have the file open.
  func release() {
    guard lock >= 0, !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = flock(lock, LOCK_UN)
    close(lock)
  }

  deinit { release() }

  /// Creates a directory and its parents, and makes the names of all that are new durable: without them, what is
  /// acknowledged would be lost with the power.
  static func make(
    _ path: String, sync: (String) -> CInt = DirectorySync.sync
  ) throws(StoreOpenError) {
    var prefix = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      prefix += "/" + part
      let number = OwnerOnly.makeDirectory(prefix)
      guard number != 0 else {
        let parent = DirectorySync.parent(of: prefix)
        let number = sync(parent)
        guard number == 0 else { throw error(number, parent) }
        continue
      }
      guard number == EEXIST || access(prefix, F_OK) == 0 else { throw error(number, prefix) }
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else { throw error(errno, path) }
  }

  private static func holder(_ file: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(file, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { 0x30...0x39 ~= $0 }
    return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
  }

  private static func error(_ number: CInt, _ path: String) -> StoreOpenError {
    let reason = String(cString: strerror(number))
    switch number {
    case EACCES, EPERM:
      return StoreOpenError(
        .permission,
        "\(path): \(reason): give this user the right to write to it, or choose another "
          + "directory with --data")
    case EROFS:
      return StoreOpenError(
        .permission,
        "\(path) is on a read-only file system: mount it for writing, choose another directory "
          + "with --data, or keep nothing with --data :memory:")
    case ENOSPC, EDQUOT:
      return StoreOpenError(.full, "\(path): \(reason): free some room, then start again")
    case ENOTDIR:
      return StoreOpenError(
        .missing, "\(path): \(reason): a file stands where the directory should be")
    default: return StoreOpenError(.system, "\(path): \(reason)")
    }
  }
}
