import CollectionService
import DeltaEngine
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// The same requests to a service that keeps all in memory and never ends, and to one that forgets
/// and is restarted again and again: no answer may differ.
@Suite(.timeLimit(.minutes(10))) struct TwinTests {
  @Test(arguments: 0..<6)
  func `neither restarts nor a small memory are visible`(round: Int) async throws {
    let seed = UInt64.random(in: 1...99_999)
    var generator = SeededGenerator(seed: seed)
    var limits = ServiceLimits()
    limits.memoryBytesMax = round % 2 == 0 ? 0 : 512 << 20
    limits.retention.versionsMax = 12
    limits.shardCount = 2
    let bench = try StoreBench(limits: limits, seed: seed) {
      $0.changesMax = 6
      $0.changeBytesMin = 400
      $0.checkpointPages = 20
      if round % 3 == 0 { $0.partBytesMax = 150 }
    }
    // Where nothing leaves memory, its bound is one on what there may be.
    limits.memoryBytesMax = .max
    let twin = ServiceBench(limits: limits, seed: seed)
    var tokens: [(key: CollectionKey, real: VersionToken, twin: VersionToken)] = []
    for step in 0..<150 {
      let what = "seed \(seed), step \(step)"
      let key = CollectionKey(
        client: name("u"), name: name("c\(Int.random(in: 0..<3, using: &generator))"))
      let request = TwinRequests.request(step, &generator)
      let real = await Self.outcome { try await bench.bench.write(request, key) }
      let twins = await Self.outcome { try await twin.write(request, key) }
      #expect(real?.counts == twins?.counts, "\(what)")
      #expect(real?.isChanged == twins?.isChanged, "\(what)")
      #expect(real?.version.seq == twins?.version.seq, "\(what)")
      if let real, let twins { tokens.append((key, real.version, twins.version)) }
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: try bench.restart()
      case 1: try bench.crash()
      default: break
      }
      for token in [tokens.last, tokens.randomElement(using: &generator)] {
        guard let token else { continue }
        let real = try? await bench.bench.read(
          ReadRequest(.everything, since: token.real, form: .plain), token.key)
        let twins = try? await twin.read(
          ReadRequest(.everything, since: token.twin, form: .plain), token.key)
        #expect(real?.text == twins?.text, "\(what)")
      }
    }
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty, "seed \(seed): \(report.faults)")
  }

  private static func outcome(_ call: () async throws -> WriteReceipt) async -> WriteReceipt? {
    try? await call()
  }
}

private enum TwinRequests {
  static func request(_ step: Int, _ generator: inout SeededGenerator) -> WriteRequest {
    let kind = Int.random(in: 0..<20, using: &generator)
    switch kind {
    case 0: return WriteRequest(.delete)
    case 1, 2:
      return WriteRequest(.settings(body: Array(settings(&generator).utf8), isPatch: false))
    case 3...7: return WriteRequest(.edit(body: RandomBody.edit(step, &generator)))
    default:
      let key = IdempotencyKey(
        text: "k\(Int.random(in: 0..<40, using: &generator))",
        fingerprint: ContentHash(high: 1, low: 1))
      return WriteRequest(
        .put(body: RandomBody.snapshot(&generator)), key: kind > 16 ? key : nil)
    }
  }

  private static func settings(_ generator: inout SeededGenerator) -> String {
    [
      "{}", #"{"equality":{"ignore":["/at"]}}"#, #"{"emptySections":"drop"}"#,
      #"{"sortBy":[{"path":"/v","type":"number"}]}"#,
    ].randomElement(using: &generator) ?? "{}"
  }
}
