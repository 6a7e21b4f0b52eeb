import CollectionService
import Foundation
import GRDB
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct OldSettingsTests {
  /// Releases before bounds took any number, and ended at the next write and at each start.
  @Test func `a directory with settings that are over the limits is served`() async throws {
    let bench = try StoreBench()
    let first = try await bench.bench.put(
      #"{"settings":{"retention":{"seconds":1}},"items":[{"id":1}]}"#)
    _ = try await bench.bench.put(#"[{"id":2}]"#)
    bench.store.close()
    let old =
      #"{"retention":{"versions":9223372036854775807,"seconds":9223372036854775807,"bytes":9223372036854775807}}"#
    let queue = try bench.queue()
    try await queue.write { db in
      try db.execute(
        sql: "UPDATE collection SET settings = ?", arguments: [Data(old.utf8)])
      #expect(db.changesCount == 1)
    }
    try queue.close()
    try bench.open()
    #expect(try await bench.bench.put(#"[{"id":3}]"#).version.seq == 3)
    #expect(try await bench.bench.delta(since: first.version).text == #"delta +3{"id":3} -1"#)
    let settings = try await bench.bench.settings()
    #expect(settings.retention?.seconds == 315_360_000)
    #expect(settings.retention?.versionsMax == 256)
    try bench.restart()
    #expect(try await bench.bench.delta(since: nil).text == ":3")
  }
}

extension ServiceBench {
  fileprivate func settings() async throws -> CollectionSettings {
    try await withCheckedContinuation { continuation in
      service.settings(of: key, .everything) { continuation.resume(returning: $0) }
    }.get().0
  }
}
