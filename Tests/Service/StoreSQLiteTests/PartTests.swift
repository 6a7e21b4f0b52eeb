import CollectionService
import Foundation
import GRDB
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

@testable import StoreSQLite

/// What is large is written in parts, and nobody waits for more than one of them.
@Suite(.timeLimit(.minutes(10))) struct PartTests {
  @Test func `a small write that comes while a large one is under way is committed between parts`()
    async throws
  {
    let bench = try StoreBench()
    bench.store.close()
    let pool = try DatabasePool(path: bench.database)
    let written = Mutex<[String]>([])
    let writer = GroupWriter(pool, faults: { _ in }, pause: { _, _ in })
    @Sendable func note(_ what: String) { written.withLock { $0.append(what) } }
    func small(_ number: Int) -> WriteJob {
      WriteJob(work: { _ in nil }, completion: { _ in note("small \(number)") })
    }
    let jobs = (0..<3).map(small)
    await withCheckedContinuation { done in
      writer.submit(
        WriteJob(
          parts: (0..<3).reversed().map { number in
            { _ in
              note("part \(number)")
              writer.submit(jobs[number])
            }
          },
          work: { _ in
            note("last")
            return nil
          }, completion: { _ in done.resume() }))
    }
    #expect(
      written.withLock { $0 }
        == ["part 0", "small 0", "part 1", "small 1", "part 2", "small 2", "last"])
  }

  @Test func `what fails in a part is not written, and is told once`() async throws {
    let bench = try StoreBench()
    bench.store.close()
    let pool = try DatabasePool(path: bench.database)
    let writer = GroupWriter(pool, faults: { _ in }, pause: { _, _ in })
    let failure = await withCheckedContinuation { done in
      writer.submit(
        WriteJob(
          parts: [{ _ in Issue.record("a part after it") }, { _ in throw StoreError.full("") }],
          work: { _ in
            Issue.record("written")
            return nil
          }, completion: { done.resume(returning: $0) }))
    }
    #expect(failure == .full(""))
  }

  private func body(_ letter: Character, _ count: Int = 40) -> String {
    let items = (0..<count).map {
      "{\"id\":\"\(letter)\($0)\",\"t\":\"\(String(repeating: letter, count: 30))\"}"
    }
    return "[\(items.joined(separator: ","))]"
  }

  @Test func `large images and changes are as they were after a restart, and leave no parts`()
    async throws
  {
    let bench = try StoreBench {
      $0.partBytesMax = 500
      $0.changeBytesMin = 0
    }
    var versions: [VersionToken] = []
    for letter in "abcdefgh" {
      versions.append(try await bench.bench.put(body(letter)).version)
      if letter == "e" { try bench.crash() }
    }
    try bench.restart()
    for version in versions.dropLast() {
      let text = try await bench.bench.delta(since: version).text
      #expect(text.hasPrefix("delta +h0"))
    }
    try await bench.untilCleared()
    #expect(try bench.count("part") > 3)
    var report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty && report.versions == 8)
    let copy = bench.directory + "/copy"
    try StoreBackup.write(directory: bench.directory, to: copy)
    report = try StoreVerifier.verify(file: copy)
    #expect(report.faults.isEmpty && report.versions == 8)
    _ = try await bench.bench.delete()
    try await until { try bench.count("part") + bench.count("change") == 0 }
  }

  @Test func `changes that an image has go in pieces, and count no more meanwhile`() async throws {
    let bench = try StoreBench { $0.changesMax = 300 }
    // Each change has 200 KB; so many have the bytes of the first image, more than a piece.
    let text = String(repeating: "x", count: 200_000)
    let image = (0..<10).map { "{\"id\":\($0),\"t\":\"\(text)\"}" }
    _ = try await bench.bench.put("[\(image.joined(separator: ","))]")
    var version = 1
    while try bench.count("image WHERE seq > 1") == 0 {
      version += 1
      let edit = "{\"op\":\"merge\",\"id\":1,\"value\":{\"t\":\"\(version)\(text)\"}}"
      _ = try await bench.bench.edit(edit)
    }
    #expect(version > 10)
    try bench.restart()
    #expect(try await bench.bench.put("[]").version.seq == version + 1)
    try await bench.untilCleared()
    #expect(try bench.count("change") < version)
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }

  @Test func `parts of a write that a crash cut short are cleared away at the next start`()
    async throws
  {
    let bench = try StoreBench { $0.partBytesMax = 100 }
    let first = try await bench.bench.put(body("a")).version
    bench.store.close()
    try await bench.queue().write { db in
      try db.execute(sql: "INSERT INTO unused_parts VALUES (70)")
      for part in 0..<9 {
        try db.execute(
          sql: "INSERT INTO part VALUES (70 << 20 | ?, zeroblob(100))", arguments: [part])
      }
    }
    try bench.open()
    try await bench.untilCleared()
    #expect(try bench.count("part WHERE id >> 20 = 70") == 0)
    #expect(try await bench.bench.delta(since: nil).heldVersion == first)
  }

  @Test func `a batch of many changes is one transaction, however many parts it has`() async throws
  {
    let bench = try StoreBench { $0.partBytesMax = 300 }
    let writes = (0..<20).map { "{\"collection\":\"c\($0)\",\"put\":\(body("b", 1 + $0))}" }
    let service = bench.bench.service
    let request = Array("{\"writes\":[\(writes.joined(separator: ","))]}".utf8)
    let receipt = try await withCheckedContinuation { continuation in
      service.batch(name("u"), body: request) { continuation.resume(returning: $0) }
    }.get()
    #expect(receipt.entries.count == 20 && receipt.failure == nil)
    try bench.crash()
    for number in 0..<20 {
      let key = CollectionKey(client: name("u"), name: name("c\(number)"))
      let text = try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain), key)
        .text
      #expect(text == ":" + (0...number).map { "b\($0)" }.joined(separator: ","))
    }
    try await bench.untilCleared()
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }
}
