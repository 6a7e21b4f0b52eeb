import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// A feed of several collections over each transport, against a real server.
@Suite(.timeLimit(.minutes(10))) struct SyncFeedTests {
  private let names = ["cart", "inbox"]

  private func feed(
    _ server: TestServer, _ kind: TransportKind, _ options: FeedOptions = .init()
  ) -> SyncFeed {
    SyncFeed(
      kind.client(server), names.map { CollectionAddress(client: "u42", name: $0) },
      options: options)
  }

  /// Writes both collections as one, each with a number that says which write it was.
  private func write(
    _ number: Int, to server: TestServer, _ random: inout SeededGenerator
  ) async throws {
    let writes = names.map { name in
      let ids = (0..<9).shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random))
      let items = [#"{"id":"number","n":\#(number)}"#] + ids.map { #"{"id":\#($0)}"# }
      return #"{"collection":"\#(name)","put":[\#(items.joined(separator: ","))]}"#
    }
    let answer = try await server.send(
      "POST", "/v1/clients/u42/batch", [:], #"{"writes":[\#(writes.joined(separator: ","))]}"#)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// The number that is written in each replica.
  private static func numbers(_ replicas: [String: CollectionReplica]) -> [Int?] {
    replicas.values.map { replica in
      let item = replica.sections.first?.items.first { $0.id == "number" }
      return item.flatMap { JSONTree($0.json)["n"].int }
    }
  }

  @Test(arguments: TransportKind.allCases, [true, false])
  func `what was written together is shown together, whatever was missed`(
    kind: TransportKind, usesStream: Bool
  ) async throws {
    try await TestServer.run { server in
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = SeededGenerator(seed: seed)
      var options = FeedOptions()
      options.usesStream = usesStream
      let feed = feed(server, kind, options)
      let (shown, more) = AsyncStream<[Int?]>.makeStream()
      let following = Task {
        defer { more.finish() }
        try await feed.run { event in
          guard case .change(let changes) = event else { return }
          #expect(changes.count == 2, "seed \(seed)")
          more.yield(Self.numbers(await feed.replicas))
        }
      }
      var contents = shown.makeAsyncIterator()
      var number = 0
      for _ in 0..<25 {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          number += 1
          try await write(number, to: server, &random)
        }
        var seen: [Int?] = []
        while seen != [number, number] {
          guard let next = await contents.next() else { return try await following.value }
          seen = next
          #expect(seen.count == 2 && seen[0] == seen[1], "seed \(seed), number \(number)")
        }
        for (name, replica) in await feed.replicas {
          let address = CollectionAddress(client: "u42", name: name)
          let head = try await server.client.snapshot(of: address).value
          #expect(replica.sections == head.sections, "seed \(seed), number \(number)")
          #expect(replica.version == head.version)
        }
      }
      following.cancel()
      await #expect(throws: CancellationError.self) { try await following.value }
      try await server.untilParked(0)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `a feed follows collections that are created and deleted one by one`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let feed = feed(server, kind)
      let (shown, more) = AsyncStream<[String]>.makeStream()
      let following = Task {
        defer { more.finish() }
        try await feed.run { event in
          guard case .change = event else { return }
          more.yield(await feed.replicas.filter { $1.version != nil }.keys.sorted())
        }
      }
      var contents = shown.makeAsyncIterator()
      let path = "/v1/clients/u42/collections/"
      for expected in [["cart"], ["cart", "inbox"]] {
        _ = try await server.put("[]", to: path + (expected.last ?? ""))
        let seen = await contents.next()
        #expect(seen == expected)
      }
      for (name, expected) in [("cart", ["inbox"]), ("inbox", [])] {
        _ = try await server.send("DELETE", path + name)
        let seen = await contents.next()
        #expect(seen == expected)
      }
      _ = try await server.put("[]", to: path + "cart")
      let seen = await contents.next()
      #expect(seen == ["cart"])
      following.cancel()
      _ = await following.result
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `what a feed kept is of one moment, and goes on from there`(
    kind: TransportKind
  ) async throws {
    let file = ReplicaFile(
      at: FileManager.default.temporaryDirectory.appending(path: "\(UUID()).replica"))
    defer { try? file.remove() }
    try await TestServer.run { server in
      var random = SeededGenerator(seed: 1)
      let options = FeedOptions(file: file)
      for number in 1...3 {
        try await write(number, to: server, &random)
        let feed = feed(server, kind, options)
        #expect(
          Self.numbers(await feed.replicas)
            == (number == 1 ? [nil, nil] : [number - 1, number - 1]))
        let changes = try await feed.poll()
        #expect(changes.count == 2)
        for change in changes.values where number > 1 {
          guard case .updated = change else {
            Issue.record("no delta")
            return
          }
        }
        #expect(try await feed.poll().isEmpty)
      }
    }
  }
}
