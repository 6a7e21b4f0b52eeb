import DeltaEngine
import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// A feed over each transport, against a real server.
@Suite(.timeLimit(.minutes(10))) struct FeedTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  @Test(arguments: TransportKind.allCases, [true, false])
  func `after random writes the feed has what GET has, whatever it missed`(
    kind: TransportKind, usesStream: Bool
  ) async throws {
    try await TestServer.run { server in
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = SeededGenerator(seed: seed)
      let client = kind.client(server)
      var options = FeedOptions()
      options.usesStream = usesStream
      let feed = SyncFeed(client, [inbox], options: options)
      let (shown, more) = AsyncStream<String?>.makeStream()
      let following = Task {
        defer { more.finish() }
        try await feed.run { event in
          guard case .change(let changes) = event else { return }
          for change in changes.values { #expect(!change.isReset, "seed \(seed)") }
          more.yield(await feed.replica.version)
        }
      }
      var versions = shown.makeAsyncIterator()
      for round in 0..<40 {
        // The feed may be any number of writes behind.
        var head = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          head = try await server.put(Self.snapshot(round, &random))
        }
        while await feed.replica.version != head {
          guard await versions.next() != nil else { return try await following.value }
        }
        let snapshot = try await server.client.snapshot(of: inbox).value
        let replica = await feed.replica
        #expect(replica.sections == snapshot.sections, "seed \(seed), round \(round)")
        #expect(replica.seq == snapshot.seq)
      }
      following.cancel()
      await #expect(throws: CancellationError.self) { try await following.value }
      try await server.untilParked(0)
    }
  }

  private static func snapshot(_ round: Int, _ random: inout SeededGenerator) -> String {
    let ids = (0..<30).shuffled(using: &random).prefix(Int.random(in: 0...30, using: &random))
    var sections: [String: [String]] = ["s": [#"{"id":"round","n":\#(round)}"#]]
    for id in ids {
      let section = ["s", "t", "u"].randomElement(using: &random) ?? "s"
      let value = Int.random(in: 0...2, using: &random)
      let text = String(repeating: "long enough to patch ", count: 4)
      sections[section, default: []].append(#"{"id":\#(id),"v":\#(value),"text":"\#(text)"}"#)
    }
    let parts = sections.shuffled(using: &random).map { id, items in
      #"{"id":"\#(id)","items":[\#(items.joined(separator: ","))]}"#
    }
    return #"{"sections":[\#(parts.joined(separator: ","))]}"#
  }

  @Test(arguments: TransportKind.allCases)
  func `a feed follows a collection that is created, deleted and created again`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let feed = SyncFeed(kind.client(server), [inbox])
      let (shown, more) = AsyncStream<[[String]]>.makeStream()
      let following = Task {
        defer { more.finish() }
        try await feed.run { event in
          guard case .change = event else { return }
          more.yield(await feed.replica.sections.map { $0.items.map(\.id.text) })
        }
      }
      var contents = shown.makeAsyncIterator()
      for id in ["a", "b"] {
        _ = try await server.put(#"[{"id":"\#(id)"}]"#)
        let created = await contents.next()
        #expect(created == [[id]])
        _ = try await server.send("DELETE", TestServer.inbox)
        let deleted = await contents.next()
        #expect(deleted == [])
      }
      following.cancel()
      _ = await following.result
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `what a feed kept is shown before the network answers, and goes on from there`(
    kind: TransportKind
  ) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).replica")
    let file = ReplicaFile(at: url)
    defer { try? file.remove() }
    try await TestServer.run { server in
      _ = try await server.put(#"[{"id":"a"}]"#)
      let options = FeedOptions(file: file)
      let first = SyncFeed(kind.client(server), [inbox], options: options)
      try await first.poll()
      let version = try await server.put(#"[{"id":"a"},{"id":"b"}]"#)
      let second = SyncFeed(kind.client(server), [inbox], options: options)
      let (kept, stored) = (await first.replica, await second.replica)
      #expect(stored.sections == kept.sections)
      #expect(stored.version == kept.version)
      guard case .updated(let update)? = try await second.poll()["inbox"] else {
        Issue.record("no delta")
        return
      }
      #expect(update.delta.changeCount == 1)
      let third = SyncFeed(kind.client(server), [inbox], options: options)
      let last = await third.replica
      #expect(last.version == version)
    }
  }
}

extension ReplicaChange {
  /// Whether everything was asked for again.
  fileprivate var isReset: Bool {
    if case .replaced(_, let reset) = self { reset != nil } else { false }
  }
}
