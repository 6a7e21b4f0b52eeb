import GRDB
import Glibc

/// Opens a store's file, possibly while a service is using it.
enum StoreFile {
  static func open(_ path: String, isReadOnly: Bool = true) throws -> DatabaseQueue {
    guard access(path, F_OK) == 0 else {
      throw StoreOpenError(
        .missing, "\(path): \(String(cString: strerror(errno))): name a directory with --data")
    }
    try BackupMark.check(path)
    try StoreHeader.refuseLater(path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    if isReadOnly {
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = 1") }
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
