import CollectionService
import DeltaHTTP
import LiveDeltaClient
import Testing
import VersionedCollections

/// A writer that does anything, and readers who look now and then: all end with the same.
@Suite struct ConvergenceTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `readers at any distance behind a writer converge, exactly`(seed: UInt64) async throws {
    try await TestServer.run { server in
      let address = CollectionAddress(client: "u42", name: "inbox")
      var random = RandomWriter(seed: seed)
      var readers = (0..<6).map { _ in CollectionFollower(server.client, address) }
      _ = try await server.put(random.snapshot())
      for step in 0..<120 {
        try await write(&random, server)
        for index in readers.indices where random.chance(1, in: 1 << index) {
          let news = try await readers[index].next(wait: nil)
          #expect(news.dropped == nil, "seed \(seed), step \(step), reader \(index)")
          let head = try await server.client.snapshot(of: address).value
          #expect(readers[index].replica.version == head.version)
          #expect(
            readers[index].replica.sections == head.sections,
            "seed \(seed), step \(step), reader \(index)")
          #expect(readers[index].replica.meta == head.meta)
        }
      }
      #expect(server.server.service.counters.refusedDeltas.value == 0)
    }
  }

  private func write(_ random: inout RandomWriter, _ server: TestServer) async throws {
    let path = TestServer.inbox
    switch random.below(20) {
    case 0:
      _ = try await server.send("DELETE", path)
      _ = try await server.put(random.snapshot())
    case 1..<8:
      let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]
      let answer = try await server.send("PATCH", path, edits, random.edits())
      #expect([200, 409].contains(answer.status), "\(answer.text)")
    default:
      _ = try await server.put(random.snapshot())
    }
  }
}

/// Makes snapshots and edits of few ids, so that they meet again and again.
private struct RandomWriter {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool { below(whole) < part }

  mutating func shuffled<T>(_ elements: [T]) -> [T] {
    var elements = elements
    for index in elements.indices.dropLast() {
      elements.swapAt(index, index + below(elements.count - index))
    }
    return elements
  }

  mutating func item(_ id: Int) -> String {
    let text = below(2) == 0 ? "\(id)" : "\"\(id)\""
    return below(2) == 0 ? "{\"id\":\(text)}" : "{\"v\":\(below(3)),\"id\":\(text)}"
  }

  mutating func snapshot() -> String {
    var ids = shuffled(Array(0..<24)).prefix(below(25))
    if below(6) == 0 { return "[" + ids.map { item($0) }.joined(separator: ",") + "]" }
    let sections = shuffled(["a", "b", "c", "d"]).prefix(below(5)).map { id in
      let count = below(ids.count + 1)
      let items = ids.prefix(count).map { item($0) }
      ids = ids.dropFirst(count)
      return "{\"id\":\"\(id)\",\"t\":\(below(2)),\"items\":[\(items.joined(separator: ","))]}"
    }
    let meta = below(3) == 0 ? ",\"meta\":{\"m\":\(below(3))}" : ""
    return "{\"sections\":[\(sections.joined(separator: ","))]\(meta)}"
  }

  mutating func edits() -> String {
    let edits = (0...below(3)).map { _ in edit() }
    return "{\"edits\":[\(edits.joined(separator: ","))]}"
  }

  private mutating func edit() -> String {
    let id = below(24)
    let section = ["a", "b", "c", "d"][below(4)]
    let position = ["\"first\":true", "\"last\":true", "\"at\":\(below(4))"][below(3)]
    switch below(6) {
    case 0: return "{\"op\":\"delete\",\"ids\":[\(id)],\"missing\":\"ignore\"}"
    case 1: return "{\"op\":\"merge\",\"id\":\(id),\"value\":{\"v\":\(below(3))}}"
    case 2: return "{\"op\":\"move\",\"ids\":[\(id)],\"section\":\"\(section)\",\(position)}"
    case 3: return "{\"op\":\"moveSection\",\"id\":\"\(section)\",\"last\":true}"
    case 4: return "{\"op\":\"deleteSection\",\"id\":\"\(section)\"}"
    default:
      return "{\"op\":\"upsert\",\"section\":\"\(section)\",\(position),\"items\":[\(item(id))]}"
    }
  }
}
