import CollectionService
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// What each tenant may store.
@Suite(.timeLimit(.minutes(10))) struct TenantTests {
  private static func limits(_ set: (inout TenantLimits) -> Void) -> ServiceLimits {
    var limits = ServiceLimits()
    limits.tenants.separator = "-"
    set(&limits.tenants)
    return limits
  }

  private static func key(_ client: String, _ collection: String = "c") -> CollectionKey {
    CollectionKey(client: name(client), name: name(collection))
  }

  /// A collection whose contents have as many bytes, 20 or more.
  private static func body(_ byteCount: Int) -> String {
    // The header of the section has 9 bytes, the item 15 and the text.
    #"[{"id":1,"t":"\#(String(repeating: "t", count: byteCount - 24))"}]"#
  }

  /// The limit that a write passes; nil if it is carried out.
  private func passed(_ write: () async throws -> Void) async -> PassedLimit? {
    guard case .limitPassed(let limit)? = await refusal({ try await write() })?.error else {
      return nil
    }
    return limit
  }

  @Test func `a tenant stores as much as its share, over all its clients and restarts`()
    async throws
  {
    let limits = Self.limits { $0.bytesMax = 1000 }
    let bench = try StoreBench(limits: limits)
    func put(_ client: String, _ byteCount: Int) async -> PassedLimit? {
      await passed { _ = try await bench.bench.put(Self.body(byteCount), to: Self.key(client)) }
    }
    #expect(await put("acme-1", 600) == nil)
    #expect(await put("acme-2", 400) == nil)
    #expect(await put("acme", 100)?.limit == 1000)
    #expect(await put("other", 1000) == nil)
    #expect(await put("acme-2", 401)?.limit == 1000)
    for restart in [bench.restart, bench.crash] {
      try restart()
      #expect(await put("acme-2", 401)?.limit == 1000)
      #expect(await put("acme-2", 399) == nil)
      #expect(await put("acme-1", 601) == nil)
      #expect(await put("acme-1", 602)?.limit == 1000)
      #expect(await put("acme-1", 600) == nil)
      #expect(await put("acme-2", 400) == nil)
    }
    try bench.restart()
    // It is not loaded, and deleted by its summary.
    _ = try await bench.bench.delete(Self.key("acme-1"))
    #expect(await put("acme-3", 601)?.limit == 1000)
    #expect(await put("acme-3", 600) == nil)
    #expect(bench.faults.faults.isEmpty)
  }

  @Test func `a tenant has as many collections as its share`() async throws {
    let limits = Self.limits { $0.collectionsMax = 2 }
    let bench = try StoreBench(limits: limits)
    func put(_ client: String, _ collection: String) async -> PassedLimit? {
      await passed { _ = try await bench.bench.put("[]", to: Self.key(client, collection)) }
    }
    #expect(await put("acme-1", "a") == nil)
    #expect(await put("acme-2", "a") == nil)
    #expect(await put("acme-2", "b")?.quantity == .collections)
    #expect(await put("acme-2", "a") == nil)
    #expect(await put("other", "a") == nil)
    try bench.restart()
    #expect(await put("acme-3", "a")?.limit == 2)
    _ = try await bench.bench.delete(Self.key("acme-1", "a"))
    #expect(await put("acme-3", "a") == nil)
  }

  @Test func `without a separator each client has a share of its own, whoever writes it`()
    async throws
  {
    let limits = Self.limits {
      $0.separator = ""
      ($0.collectionsMax, $0.bytesMax) = (2, 1000)
    }
    let bench = try StoreBench(limits: limits)
    func put(_ client: String, _ collection: String, _ byteCount: Int) async -> PassedLimit? {
      await passed {
        _ = try await bench.bench.put(Self.body(byteCount), to: Self.key(client, collection))
      }
    }
    for client in ["acme-1", "acme-2"] {
      #expect(await put(client, "a", 600) == nil)
      #expect(await put(client, "b", 401)?.remaining == 400)
      #expect(await put(client, "b", 300) == nil)
      #expect(await put(client, "c", 24)?.quantity == .collections)
    }
  }

  @Test func `what is stored is measured when the limit is first set`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(Self.body(700), to: Self.key("acme-1"))
    _ = try await bench.bench.put(Self.body(600), to: Self.key("acme-1"))
    bench.limits = Self.limits { $0.bytesMax = 1000 }
    bench.options.recordsSizes = true
    try bench.restart()
    func put(_ byteCount: Int) async -> PassedLimit? {
      await passed { _ = try await bench.bench.put(Self.body(byteCount), to: Self.key("acme-2")) }
    }
    #expect(await put(401)?.limit == 1000)
    #expect(await put(400) == nil)
  }

  @Test func `a lowered limit refuses growth alone`() async throws {
    let bench = try StoreBench(limits: Self.limits { $0.bytesMax = 1000 })
    _ = try await bench.bench.put(Self.body(600), to: Self.key("acme-1"))
    bench.limits.tenants.bytesMax = 100
    try bench.restart()
    let steps: [(Int, Int?)] = [(601, 100), (600, nil), (500, nil), (501, 100)]
    for (byteCount, limit) in steps {
      let found = await passed {
        _ = try await bench.bench.put(Self.body(byteCount), to: Self.key("acme-1"))
      }
      #expect(found?.limit == limit, "\(byteCount)")
    }
  }

  @Test func `what is reserved for a write that fails is given back`() async throws {
    let bench = ServiceBench(limits: Self.limits { $0.bytesMax = 1000 })
    func batch(_ writes: String) async throws -> BatchReceipt {
      try await withCheckedContinuation { continuation in
        bench.service.batch(
          name("acme-1"), body: Array(#"{"writes":[\#(writes)]}"#.utf8), permits: { _ in true },
          key: nil
        ) { continuation.resume(returning: $0) }
      }.get()
    }
    let good = #"{"collection":"a","put":\#(Self.body(600))}"#
    let bad = #"{"collection":"b","edits":[{"edit":"delete","id":"1"}]}"#
    for _ in 1...3 {
      #expect(try await batch("\(good),\(bad)").failure != nil)
    }
    let more = #"{"collection":"b","put":\#(Self.body(401))}"#
    #expect(try await batch("\(good),\(more)").failure != nil)
    #expect(try await batch(good).failure == nil)
    // Unchanged, deleted and made again.
    #expect(try await batch(good).failure == nil)
    _ = try await bench.delete(Self.key("acme-1", "a"))
    _ = try await bench.put(Self.body(1000), to: Self.key("acme-1"))
  }
}
