import GRDB

/// Why a data directory cannot be used, with a description of the remedy.
public struct StoreOpenError: Error, CustomStringConvertible, Sendable {
  /// The causes.
  public enum Cause: Sendable {
    /// The directory or file does not exist and cannot be created.
    case missing
    /// The user lacks permissions, or the file system is read-only.
    case permission
    /// Another process is using it.
    case inUse
    /// It was written by a later release.
    case newer
    /// It was written by an earlier release, and may not be changed.
    case older
    /// It is not a store, or too damaged to be opened.
    case damaged
    /// The disk is full.
    case full
    /// Another error of the operating system.
    case system
  }

  /// The cause.
  public var cause: Cause
  /// What is wrong, and how to fix it.
  public var description: String

  init(_ cause: Cause, _ description: String) {
    self.cause = cause
    self.description = description
  }

  /// The error for a file of a later release.
  static func later(_ path: String, version: Int, known: Int) -> StoreOpenError {
    StoreOpenError(
      .newer,
      "\(path) was written by a later release (format \(version), this one knows "
        + "\(known)): run that release, or restore a back-up from before it")
  }

  init(_ error: any Error, path: String) {
    guard let error = error as? DatabaseError else {
      self = error as? StoreOpenError ?? StoreOpenError(.system, "\(path): \(error)")
      return
    }
    let reason = error.message ?? "error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
      self.init(
        .permission,
        "\(path) cannot be opened for writing (\(reason)): give this user the right to write to "
          + "the directory and all files in it, or choose another with --data")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      self.init(
        .damaged,
        "\(path) is not a store of livedelta, or its first pages or those of its log are damaged (\(reason)): "
          + "livedelta restore BACK-UP --data DIRECTORY moves it away, with \(path)-wal and \(path)-shm, and puts a "
          + "back-up in its place")
    case .SQLITE_FULL:
      self.init(.full, "there is no room left for \(path): free some, then start again")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.inUse, "\(path) is locked by another process: end that one first")
    default:
      self.init(.system, "\(path) cannot be opened: \(reason)")
    }
  }
}
