import CollectionService
import DeltaEngine
import Foundation
import GRDB
import SnapshotJSON
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Retained versions are whole, whatever became of the collection since.
@Suite(.timeLimit(.minutes(10))) struct OlderVersionTests {
  private static let encoders = AnswerEncoders(
    snapshot: { material, _ in EncodedText(SnapshotText.content(material)) },
    delta: { AnswerEncoders.plain.delta($0, $1) })

  private func bench(
    _ seed: UInt64 = 1, _ limits: ServiceLimits = ServiceLimits(),
    _ configure: (inout StoreOptions) -> Void = { _ in }
  ) throws -> StoreBench {
    try StoreBench(limits: limits, seed: seed, encoders: Self.encoders, configure)
  }

  /// Returns once the first collection has an image of a version or a later one.
  private func untilImage(of seq: Int, _ bench: StoreBench) async throws {
    try await until { try bench.count("image WHERE seq >= \(seq)") != 0 }
  }

  @Test(arguments: 0..<8)
  func `every retained version is what it was, after images, restarts and crashes`(
    round: Int
  ) async throws {
    let seed = UInt64.random(in: 1...99_999)
    var random = SeededGenerator(seed: seed)
    var limits = ServiceLimits()
    limits.retention.versionsMax = 10
    limits.memoryBytesMax = round % 2 == 0 ? 0 : 512 << 20
    let bench = try bench(seed, limits) {
      $0.changesMax = 5
      $0.changeBytesMin = 300
      if round % 3 == 0 { $0.partBytesMax = 120 }
    }
    var oracle: [(version: VersionToken, text: String)] = []
    for step in 0..<120 {
      let what = "seed \(seed), step \(step)"
      if let receipt = try? await bench.bench.write(OlderRequests.request(step, oracle, &random)) {
        if receipt.isDeleted {
          oracle = []
        } else if receipt.isChanged {
          let head = try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain))
          oracle.append((receipt.version, head.text))
        }
      }
      switch Int.random(in: 0..<14, using: &random) {
      case 0: try bench.restart()
      case 1: try bench.crash()
      default: break
      }
      guard !oracle.isEmpty else { continue }
      let retained = try await bench.bench.versions().map(\.version)
      for version in [retained.first, retained.randomElement(using: &random)] {
        guard let version, let known = oracle.first(where: { $0.version == version }) else {
          continue
        }
        let answer = try await bench.bench.snapshot(at: version)
        #expect(answer.text == known.text, "\(what), version \(version)")
        #expect(answer.heldVersion == version, "\(what)")
      }
    }
    #expect(bench.faults.faults.isEmpty, "seed \(seed): \(bench.faults.faults)")
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty, "seed \(seed): \(report.faults)")
  }

  @Test func `contents beyond the bound are gone, and said to be`() async throws {
    let bench = try bench { $0.changesMax = 4 }
    _ = try await bench.bench.put("[]")
    _ = try await bench.bench.configure(
      #"{"retention":{"versions":64,"seconds":9000,"bytes":20000}}"#)
    var versions: [VersionToken] = []
    for number in 0..<24 {
      let text = String(repeating: "x", count: 3000)
      versions.append(
        try await bench.bench.put("[{\"id\":1,\"n\":\(number),\"t\":\"\(text)\"}]").version)
    }
    try await untilImage(of: 20, bench)
    #expect(try await bench.bench.versions().count == 25)
    let failure = await refusal { try await bench.bench.snapshot(at: versions[0]) }
    guard case .contentGone? = failure?.error else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try await bench.bench.snapshot(at: versions[22]).text.contains("\"n\":22"))
    // Six changes of 3 KiB at most, beside the image and the contents of a version before.
    let kept = try bench.count("change WHERE seq <= (SELECT max(seq) FROM image)")
    #expect(1...6 ~= kept)
  }

  @Test func `what both versions have is stored once`() async throws {
    let bench = try bench { $0.changesMax = 4 }
    let body = { (number: Int) in
      let big = String(repeating: "b", count: 20_000)
      return "[{\"id\":0,\"t\":\"\(big)\"},{\"id\":1,\"n\":\(number)}]"
    }
    let first = try await bench.bench.put(body(0)).version
    for number in 1..<9 { _ = try await bench.bench.put(body(number)) }
    try await untilImage(of: 5, bench)
    #expect(try await bench.bench.snapshot(at: first).text.contains("\"n\":0"))
    #expect(try bench.count("image WHERE length(data) > 24000") == 0)
    #expect(try bench.count("change WHERE length(data) > 1000") == 0)
  }

  @Test func `a store of the release before gives its older versions as far as the head has them`()
    async throws
  {
    let bench = try bench { $0.changesMax = 1000 }
    let first = try await bench.bench.put(#"[{"id":1},{"id":2}]"#).version
    let second = try await bench.bench.put(#"[{"id":2}]"#).version
    _ = try await bench.bench.put(#"[{"id":3},{"id":2}]"#)
    bench.store.close()
    try OldStore.forgetContents(bench.database)
    try bench.open()
    #expect(try await bench.bench.snapshot(at: second).text.contains(#"[{"id":2}]"#))
    let failure = await refusal { try await bench.bench.snapshot(at: first) }
    guard case .contentGone? = failure?.error else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `damage of an older version is that version's alone`() async throws {
    let bench = try bench { $0.changesMax = 4 }
    var versions: [VersionToken] = []
    for number in 0..<9 {
      versions.append(try await bench.bench.put("[{\"id\":1,\"n\":\(number)}]").version)
    }
    try await untilImage(of: 5, bench)
    let queue = try bench.queue()
    try await queue.write { db in
      try db.execute(
        sql: "UPDATE change SET data = zeroblob(40) WHERE seq = 3")
    }
    #expect(try await bench.bench.snapshot(at: versions[1]).text.contains("\"n\":1"))
    let failure = await refusal { try await bench.bench.snapshot(at: versions[2]) }
    guard case .contentGone? = failure?.error else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(bench.faults.faults.contains { $0.kind == .collectionDamaged })
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.count == 1)
    try bench.restart()
    let head = try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain))
    #expect(head.text.contains("\"n\":8"))
    for number in 9..<20 { _ = try await bench.bench.put("[{\"id\":1,\"n\":\(number)}]") }
    #expect(
      try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain)).text.contains(
        "19"))
  }
}

private enum OldStore {
  /// Leaves of a store what the release before would have left, but the images of that release.
  static func forgetContents(_ path: String) throws {
    let old = try DatabaseQueue(path: path)
    try old.writeWithoutTransaction { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT id, lineage FROM collection") else {
        return
      }
      let (id, lineage): (Int64, String) = (row[0], row[1])
      var collection = try StoredCollection(
        lineage: Lineage(lineage),
        image: Array(try Data.fetchOne(db, sql: "SELECT data FROM image") ?? Data()))
      for change in try Data.fetchAll(db, sql: "SELECT data FROM change ORDER BY id") {
        try collection.apply(change: Array(change))
      }
      // The format before: the first byte, nothing behind the history, the checksum.
      var image = Array(collection.image().dropLast(9))
      image[0] = 0x11
      let checksum = hash64(image)
      for shift in stride(from: 0, to: 64, by: 8) {
        image.append(UInt8(truncatingIfNeeded: checksum >> UInt64(shift)))
      }
      try db.execute(sql: "DELETE FROM change")
      try db.execute(
        sql: "UPDATE image SET data = ?, seq = ?, digest = ?, items = ? WHERE collection = ?",
        arguments: [
          Data(image), collection.version.seq, collection.version.digest, collection.itemCount, id,
        ])
      try db.execute(
        sql: """
          ALTER TABLE image DROP COLUMN oldest; DROP TABLE deletion; DROP TABLE last_use;
          ALTER TABLE collection DROP COLUMN secret;
          PRAGMA user_version = 4
          """)
    }
  }
}

private enum OlderRequests {
  static func request(
    _ step: Int, _ oracle: [(version: VersionToken, text: String)],
    _ random: inout SeededGenerator
  ) -> WriteRequest {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return WriteRequest(.delete)
    case 1:
      let settings = [
        "{}", #"{"equality":{"ignore":["/at"]}}"#, #"{"emptySections":"drop"}"#,
      ]
      let body = settings.randomElement(using: &random) ?? "{}"
      return WriteRequest(.settings(body: Array(body.utf8), isPatch: false))
    case 2...8: return WriteRequest(.edit(body: RandomBody.edit(step, &random)))
    default: return WriteRequest(.put(body: RandomBody.snapshot(&random)))
    }
  }
}
