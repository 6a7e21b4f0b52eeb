import CFaultyVFS
import DeltaEngine
import GRDBSQLite
import Glibc
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// What a disk may do at the n-th write or sync.
struct DiskFault: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var kinds: Int32
  var code: Int32
  /// How many operations fail; then the disk works again.
  var count: Int

  static let all = [
    DiskFault(testDescription: "full", kinds: FAULTY_WRITES, code: SQLITE_FULL, count: 1),
    DiskFault(
      testDescription: "write error", kinds: FAULTY_WRITES, code: SQLITE_IOERR | (3 << 8), count: 1
    ),
    DiskFault(
      testDescription: "failed sync", kinds: FAULTY_SYNCS, code: SQLITE_IOERR | (4 << 8), count: 1),
    DiskFault(
      testDescription: "read-only", kinds: FAULTY_WRITES | FAULTY_SYNCS, code: SQLITE_READONLY,
      count: 3),
    DiskFault(
      testDescription: "gone", kinds: FAULTY_WRITES | FAULTY_SYNCS, code: SQLITE_IOERR | (3 << 8),
      count: .max),
  ]
}

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
  /// Each write and each sync fails once, one after the other, until none is left to fail.
  @Test(arguments: DiskFault.all)
  func `a fault at any step acknowledges nothing that is not stored`(fault: DiskFault) async throws
  {
    try await failAtEachStep(fault, writeCount: 20, partBytesMax: 512 << 10)
  }

  @Test(arguments: DiskFault.all)
  func `a fault at any step of what is written in parts leaves none of them`(fault: DiskFault)
    async throws
  {
    try await failAtEachStep(fault, writeCount: 9, partBytesMax: 64)
  }

  private func failAtEachStep(
    _ fault: DiskFault, writeCount: Int, partBytesMax: Int
  ) async throws {
    faulty_install()
    var step = 0
    while true {
      let bench = try StoreBench {
        $0.checkpointPages = 12
        $0.changesMax = 4
        $0.partBytesMax = partBytesMax
      }
      let plan = faulty_plan(bench.directory + "/", fault.kinds, step, fault.count, fault.code)
      defer { faulty_clear(plan) }
      let history = try await FaultHistory(bench, writeCount)
      if faulty_failed(plan) == 0 { break }
      #expect(history.surprises.isEmpty, "step \(step): \(history.surprises)")
      faulty_clear(plan)
      try bench.crash()
      try await history.check(bench, "step \(step) of \(fault.testDescription)")
      try await bench.untilCleared()
      step += 1
    }
    #expect(step > 20, "\(step) steps")
  }

  @Test(arguments: DiskFault.all)
  func `reads go on, readiness tells, and both come back`(fault: DiskFault) async throws {
    faulty_install()
    let bench = try StoreBench()
    let first = try await bench.bench.put(#"[{"id":1}]"#)
    let plan = faulty_plan(bench.directory + "/", fault.kinds, 0, .max, fault.code)
    let failure = await refusal { try await bench.bench.put(#"[{"id":2}]"#) }
    switch (fault.code, failure?.error) {
    case (SQLITE_FULL, .storageFull?), (SQLITE_READONLY, .storeUnavailable?): break
    case (_, .storeUnsynced?) where fault.kinds == FAULTY_SYNCS: break
    // The log is written at the commit.
    case (_, .outcomeUnknown?) where fault.kinds & FAULTY_WRITES != 0: break
    default: Issue.record("\(fault.testDescription): \(failure as Any)")
    }
    #expect(!bench.store.isReady)
    #expect(failure?.current == first.version)
    #expect(try await bench.bench.delta(since: nil).text == ":1")
    #expect(try await bench.bench.delta(since: first.version).text == "unchanged")
    faulty_clear(plan)
    let second = try await bench.bench.put(#"[{"id":2}]"#)
    #expect(second.version.seq == 2)
    #expect(bench.store.isReady)
    try bench.restart()
    #expect(try await bench.bench.delta(since: first.version).text == #"delta +2{"id":2} -1"#)
  }

  @Test(arguments: DiskFault.all, [true, false])
  func `a write whose commit failed is done once, also after a crash, if repeated with its key`(
    fault: DiskFault, crashes: Bool
  ) async throws {
    faulty_install()
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    let plan = faulty_plan(bench.directory + "/", fault.kinds, 0, .max, fault.code)
    let request = WriteRequest(
      .edit(body: Array(#"{"edits":[{"op":"append","section":"","items":[{"id":2}]}]}"#.utf8)),
      key: IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2)))
    #expect(await refusal { try await bench.bench.write(request) } != nil)
    faulty_clear(plan)
    if crashes { try bench.crash() }
    #expect(try await bench.bench.write(request).version.seq == 2)
    #expect(try await bench.bench.write(request).isReplayed)
    try bench.crash()
    #expect(try await bench.bench.delta(since: nil).text == ":1,2")
  }

  @Test(arguments: [EDQUOT, EFBIG, ENOSPC])
  func `a used up quota and the largest file size are a full store`(number: CInt) async throws {
    faulty_install()
    let bench = try StoreBench()
    let first = try await bench.bench.put(#"[{"id":1}]"#)
    // To SQLite a write error like others: only the number of the system's error tells.
    let plan = faulty_plan(
      bench.directory + "/", FAULTY_WRITES, 0, .max, SQLITE_IOERR | (3 << 8))
    faulty_errno(plan, number)
    defer { faulty_clear(plan) }
    let failure = await refusal { try await bench.bench.put(#"[{"id":2}]"#) }
    guard case .storageFull? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(failure?.current == first.version)
    #expect(!bench.store.isReady)
  }

  @Test func `readiness comes back by itself`() async throws {
    faulty_install()
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    let plan = faulty_plan(bench.directory + "/", FAULTY_WRITES, 0, .max, SQLITE_FULL)
    for _ in 0..<2 { _ = await refusal { try await bench.bench.put(#"[{"id":2}]"#) } }
    faulty_clear(plan)
    try await until { bench.store.isReady }
  }

  @Test func `readiness comes back by itself after work in the background that failed`()
    async throws
  {
    faulty_install()
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    let plan = faulty_plan(bench.directory + "/", FAULTY_WRITES, 0, .max, SQLITE_FULL)
    let isRecorded = await withCheckedContinuation { continuation in
      bench.store.record(uses: [bench.bench.key], date: 1) { continuation.resume(returning: $0) }
    }
    #expect(!isRecorded && !bench.store.isReady)
    faulty_clear(plan)
    try await until { bench.store.isReady }
  }
}

/// Some writes of all kinds, and which of them were acknowledged.
private struct FaultHistory {
  /// What may be there after a restart: the state that was acknowledged last, and those that were
  /// refused since, which may or may not have reached the disk.
  private var possible: [VersionToken?] = [nil]
  private var acknowledged: [VersionToken] = []
  private(set) var surprises: [String] = []

  init(_ bench: StoreBench, _ writeCount: Int) async throws {
    for number in 0..<writeCount {
      let request = Self.request(number)
      do {
        let receipt = try await bench.bench.write(request)
        let head = receipt.isDeleted ? nil : receipt.version
        possible = [head]
        if let head { acknowledged.append(head) }
      } catch let failure as ServiceFailure {
        if failure.current != possible[0] {
          surprises.append("refused at \(number), head \(failure.current as Any)")
        }
        possible.append(nil)
      }
      let shown = try? await bench.bench.delta(since: nil).heldVersion
      if shown != possible[0] { surprises.append("shows \(shown as Any) at \(number)") }
    }
  }

  private static func request(_ number: Int) -> WriteRequest {
    if number == 6 { return WriteRequest(.delete) }
    let items = (0...number % 5).map { "{\"id\":\(number + $0)}" }.joined(separator: ",")
    let key = IdempotencyKey(text: "k\(number)", fingerprint: ContentHash(high: 1, low: 2))
    return WriteRequest(.put(body: Array("[\(items)]".utf8)), key: number % 2 == 0 ? key : nil)
  }

  /// Sees that what was acknowledged is there.
  func check(_ bench: StoreBench, _ what: String) async throws {
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty, "\(what): \(report.faults)")
    let head = try? await bench.bench.delta(since: nil).heldVersion
    if possible.count == 1 {
      #expect(head == possible[0], "\(what)")
    } else if let last = possible[0], let head, head != last {
      #expect(head.lineage == last.lineage && head.seq == last.seq + 1, "\(what)")
    }
    for token in acknowledged where token.lineage == head?.lineage {
      let text = try await bench.bench.delta(since: token).text
      #expect(text == "unchanged" || text.hasPrefix("delta"), "\(what): \(token) \(text)")
    }
  }
}
