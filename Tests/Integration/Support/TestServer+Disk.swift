import DeltaHTTP
import Foundation
import Logging
import StoreSQLite
import VersionedCollections

extension TestServer {
  /// Runs a body against a server whose store is on disk, and makes new images often.
  static func runOnDisk(
    _ configure: (inout DeltaServerConfiguration) -> Void = { _ in },
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = StoreOptions()
    options.date = { Int64(time(nil)) }
    options.changesMax = 5
    options.changeBytesMin = 300
    let store = try SQLiteStore(directory: folder.path, options: options)
    defer { store.close() }
    try await run(configure, store: store, logger: logger, body)
  }
}
