import SnapshotJSON
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// A collection of at most 1,000 bytes of contents.
@Suite struct CollectionBytesTests {
  private static func bench() -> ServiceBench {
    var limits = ServiceLimits()
    limits.collectionBytesMax = 1000
    limits.batchBytesMax = 1500
    return ServiceBench(limits: limits)
  }

  /// `{"id":"a","x":"…"}` of some bytes.
  private static func item(_ id: String, _ byteCount: Int) -> String {
    #"{"id":"\#(id)","x":"\#(String(repeating: "x", count: byteCount - 16))"}"#
  }

  private func expectTooLarge<T>(
    limit: Int = 1000, pointer: String? = nil, _ call: () async throws -> T
  ) async {
    let failure = await refusal(call)
    guard case .limitPassed(let passed)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(passed.quantity == .bytes && passed.limit == limit)
    if let pointer { #expect(passed.pointer == pointer) }
  }

  @Test func `a collection of as many bytes as may be is taken, one of a byte more is not`()
    async throws
  {
    let bench = Self.bench()
    // The header of the one section is {"id":""}.
    #expect(try await bench.put("[\(Self.item("a", 990))]").isCreated)
    await expectTooLarge { try await bench.put("[\(Self.item("a", 991))]") }
    let other = CollectionKey(client: name("u"), name: name("new"))
    await expectTooLarge { try await bench.put("[\(Self.item("a", 991))]", to: other) }
    await expectTooLarge {
      try await bench.put(#"{"items":[\#(Self.item("a", 980))],"meta":"\#("123456789")"}"#)
    }
  }

  @Test func `edits that make too much are refused at the edit that does`() async throws {
    let bench = Self.bench()
    let first = try await bench.put("[\(Self.item("a", 400)),\(Self.item("b", 400))]")
    let append = #"{"op":"append","section":"","items":[\#(Self.item("c", 300))]}"#
    await expectTooLarge(pointer: "/edits/1") {
      try await bench.edit(#"{"op":"move","ids":["b"],"section":"","first":true},"# + append)
    }
    await expectTooLarge(pointer: "/edits/0") {
      try await bench.edit(
        #"{"op":"upsert","section":"","last":true,"items":[\#(Self.item("a", 700))]}"#)
    }
    await expectTooLarge(pointer: "/edits/0") {
      try await bench.edit(#"{"op":"merge","id":"a","value":\#(Self.item("a", 591))}"#)
    }
    await expectTooLarge(pointer: "/edits/0") {
      try await bench.edit(
        #"{"op":"insertSection","id":"s","last":true,"x":"\#(String(repeating: "x", count: 200))"}"#
      )
    }
    #expect(try await bench.delta(since: first.version).text == "unchanged")
    let after = try await bench.edit(#"{"op":"delete","ids":["a"]},"# + append)
    #expect(after.isChanged)
  }

  @Test func `settings that derive headers are held against it too`() async throws {
    let bench = Self.bench()
    _ = try await bench.put("[\(Self.item("a", 600))]")
    let settings = #"{"sectionBy":{"path":"/id","headerFrom":["/x"]}}"#
    await expectTooLarge {
      try await bench.write(
        WriteRequest(.settings(body: Array(settings.utf8), isPatch: false)))
    }
  }

  @Test func `merges that rewrite more than a collection may have are refused`() async throws {
    let bench = Self.bench()
    _ = try await bench.put("[\(Self.item("a", 300))]")
    let merges = (0..<4).map { #"{"op":"merge","id":"a","value":{"k":\#($0)}}"# }
    await expectTooLarge(pointer: "/edits/3") {
      try await bench.edit(merges.joined(separator: ","))
    }
    _ = try await bench.edit(merges.dropLast().joined(separator: ","))
  }

  @Test func `the collections of a batch have a bound together`() async throws {
    let bench = Self.bench()
    let write = { (collection: String, byteCount: Int) in
      #"{"collection":"\#(collection)","put":[\#(Self.item("a", byteCount))]}"#
    }
    let receipt = try await bench.batch([write("a", 700), write("b", 700)])
    #expect(receipt.failure == nil)
    for isAtomic in [true, false] {
      let receipt = try await bench.batch(
        [write("a", 701), write("b", 701), write("c", 701)], isAtomic: isAtomic)
      let failures = receipt.entries.map { entry -> ServiceError? in
        guard case .failure(let failure) = entry.result else { return nil }
        return failure.error
      }
      guard case .limitPassed(let passed)? = failures[2] else {
        Issue.record("\(failures)")
        continue
      }
      #expect(passed.limit == 1500)
      #expect((failures[0] == nil) == !isAtomic)
    }
  }

  @Test func `two snapshots that are compared are held against it`() async throws {
    let service = Self.bench().service
    let body = #"{"old":[],"new":[\#(Self.item("a", 991))]}"#
    let answer = await withCheckedContinuation { continuation in
      service.diff(Array(body.utf8), form: .plain) { continuation.resume(returning: $0) }
    }
    guard case .failure(.limitPassed(let passed)) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(passed.limit == 1000)
  }
}

extension ServiceBench {
  fileprivate func batch(
    _ writes: [String], isAtomic: Bool = true
  ) async throws -> BatchReceipt {
    let body = #"{"atomic":\#(isAtomic),"writes":[\#(writes.joined(separator: ","))]}"#
    return try await withCheckedContinuation { continuation in
      service.batch(key.client, body: Array(body.utf8)) { continuation.resume(returning: $0) }
    }.get()
  }
}
