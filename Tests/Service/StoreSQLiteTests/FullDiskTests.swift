import CollectionService
import Foundation
import StoreSQLite
import TestSupport
import Testing
import VersionedCollections

/// A store on a file system that is full.
@Suite(.timeLimit(.minutes(10)), .enabled(if: TinyDisk.isAvailable, "a file system needs root"))
struct FullDiskTests {
  @Test func `collections and clients can be deleted, and others written in their place`()
    async throws
  {
    let disk = try TinyDisk(megabytes: 12)
    defer { disk.remove() }
    let faults = FaultRecorder()
    var options = StoreOptions()
    options.faults = faults.record
    let store = try SQLiteStore(directory: disk.path + "/data", options: options)
    defer { store.close() }
    let bench = ServiceBench(store: store, seed: 1, faults: faults.record)
    let filler = String(repeating: "x", count: 60_000)
    func put(_ number: Int, _ text: String) async throws -> WriteReceipt {
      let body = "[{\"id\":\(number),\"text\":\"\(text)\"}]"
      return try await bench.write(WriteRequest(.put(body: Array(body.utf8))), Self.key(number))
    }
    var count = 0
    while true {
      let failure = await refusal { try await put(count, filler) }
      if failure == nil {
        count += 1
        continue
      }
      guard case .storageFull? = failure?.error else {
        Issue.record("\(failure as Any)")
        return
      }
      break
    }
    #expect(count > 50)
    // No write takes what is kept for deletions.
    for _ in 0..<20 {
      guard case .storageFull? = await refusal({ try await put(count, filler) })?.error else {
        Issue.record("a write was not refused")
        return
      }
    }
    for number in 0..<count where number % 2 == 0 {
      let failure = await refusal { try await bench.write(WriteRequest(.delete), Self.key(number)) }
      #expect(failure == nil, "\(number) of \(count)")
    }
    let failure = await withCheckedContinuation { continuation in
      bench.service.deleteClient(Self.key(1).client) { continuation.resume(returning: $0) }
    }
    #expect(throws: Never.self) { try failure.get() }
    try await until { store.isReady }
    _ = try await put(0, filler)
    #expect(!faults.faults.contains { $0.kind == .outcomeUnknown })
    // Also after a start on what is still there.
    store.close()
    try SQLiteStore(directory: disk.path + "/data", options: options).close()
  }

  private static func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("c\(number)"), name: name("list"))
  }
}

/// A small file system in memory.
struct TinyDisk {
  let path: String

  static let isAvailable: Bool = {
    guard geteuid() == 0, let disk = try? TinyDisk(megabytes: 1) else { return false }
    disk.remove()
    return true
  }()

  init(megabytes: Int) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "tiny-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
      rmdir(path)
      throw POSIXError(.EPERM)
    }
  }

  func remove() {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }
}
