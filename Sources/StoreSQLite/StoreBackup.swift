import Foundation
import GRDB

/// Backs up a store while it is in use.
public enum StoreBackup {
  /// Writes a consistent copy of a store to a new file.
  ///
  /// Writers are not blocked. The copy is synced before it is renamed to its final name, so a
  /// file with this name is complete; only its owner can read it. To restore it, put it into an
  /// empty directory as `livedelta.sqlite`.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - file: The file to write; it must not exist.
  ///   - progress: Called from time to time, on its own queue, with the number of bytes written and
  ///     the approximate total.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: `StoreOpenError`.
  @discardableResult
  public static func write(
    directory: String, to file: String,
    progress: (@Sendable (_ written: Int, _ total: Int) -> Void)? = nil
  ) throws(StoreOpenError) -> Int {
    let source = DataDirectory.database(in: directory)
    guard access(file, F_OK) != 0 else {
      throw StoreOpenError(.system, "\(file) exists: name a file that does not")
    }
    let partial = file + ".partial"
    unlink(partial)
    let number = OwnerOnly.createFile(partial)
    guard number == 0 else {
      throw StoreOpenError(.system, "\(partial): \(String(cString: strerror(number)))")
    }
    let timer = progress.map { watch(partial, of: source, $0) }
    defer { timer?.cancel() }
    do {
      let queue = try StoreFile.open(source, isReadOnly: false)
      try queue.inDatabase { db in
        try Schema.check(db, path: source)
        try db.execute(sql: "VACUUM INTO ?", arguments: [partial])
      }
    } catch {
      unlink(partial)
      throw StoreOpenError(error, path: source)
    }
    return try publish(partial, as: file)
  }

  /// Reports the progress of a copy five times a second.
  private static func watch(
    _ copy: String, of source: String, _ progress: @escaping @Sendable (Int, Int) -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now(), repeating: .milliseconds(200))
    timer.setEventHandler {
      var (written, whole) = (stat(), stat())
      guard stat(copy, &written) == 0, stat(source, &whole) == 0 else { return }
      progress(Int(written.st_size), Int(whole.st_size))
    }
    timer.resume()
    return timer
  }

  private static func publish(_ partial: String, as file: String) throws(StoreOpenError) -> Int {
    var status = stat()
    let copy = open(partial, O_RDONLY | O_CLOEXEC)
    defer { close(copy) }
    guard copy >= 0, fsync(copy) == 0, fstat(copy, &status) == 0, rename(partial, file) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(partial)
      throw StoreOpenError(.system, "\(file): \(reason)")
    }
    let slash = file.lastIndex(of: "/")
    let folder = slash.map { file[...$0] } ?? "."
    let directory = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    guard directory >= 0, fsync(directory) == 0 else {
      throw StoreOpenError(.system, "\(folder): \(String(cString: strerror(errno)))")
    }
    return Int(status.st_size)
  }
}
