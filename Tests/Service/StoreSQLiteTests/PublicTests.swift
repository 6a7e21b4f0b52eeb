import CollectionService
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Who reads without a credential, of collections that are only in the store.
@Suite(.timeLimit(.minutes(10))) struct PublicTests {
  private static let open = CollectionKey(client: name("u42"), name: name("open"))

  private func audiences(_ bench: ServiceBench) async throws -> [String: Bool?] {
    let (page, _) = try await withCheckedContinuation { continuation in
      bench.service.index(of: name("u42"), after: nil, limit: 10) {
        continuation.resume(returning: $0)
      }
    }.get()
    return Dictionary(uniqueKeysWithValues: page.map { ($0.name.text, $0.isPublic) })
  }

  @Test func `what is public is read by anybody, and nothing private is loaded for a stranger`()
    async throws
  {
    let disk = try StoreBench()
    let decoy = #"{"items":[],"settings":{"animations":{"audience":"public"},"ages":{"delta":9}}}"#
    _ = try await disk.bench.put(decoy)
    let body = #"{"items":[{"id":1}],"settings":{"audience":"public","ages":{"delta":9}}}"#
    let head = try await disk.bench.put(body, to: Self.open).version
    try disk.restart()
    #expect(try await audiences(disk.bench) == ["inbox": false, "open": true])
    var request = ReadRequest(.everything, since: nil, form: .plain)
    request.access = .ifPublic
    let missing = CollectionKey(client: name("u42"), name: name("missing"))
    let nobody = CollectionKey(client: name("nobody"), name: name("inbox"))
    for key in [disk.bench.key, missing, nobody] {
      let failure = await refusal { try await disk.bench.read(request, key) }
      guard case .notPublic? = failure?.error else {
        Issue.record("\(key): \(failure.map { "\($0)" } ?? "an answer")")
        continue
      }
      #expect(failure?.current == nil)
    }
    #expect(disk.bench.service.counters.loads.value == 0)
    #expect(try await disk.bench.read(request, Self.open).text == ":1")
    #expect(disk.bench.service.counters.loads.value == 1)
    try disk.restart()
    request.since = head
    #expect(try await disk.bench.read(request, Self.open).text == "unchanged")
    let settings = try await withCheckedContinuation { continuation in
      disk.bench.service.settings(of: Self.open, .everything) { continuation.resume(returning: $0) }
    }.get().0
    #expect(settings.isPublic && settings.ages?.delta == 9 && settings.ages?.snapshot == 1)
  }
}
