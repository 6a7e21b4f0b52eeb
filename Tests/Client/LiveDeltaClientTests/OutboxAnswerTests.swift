import DeltaEngine
import Foundation
import LiveCollections
import SnapshotJSON
import TestSupport
import Testing

@testable import LiveDeltaClient

/// What becomes of edits by what answers them: the service, or something in between.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10))) struct OutboxAnswerTests {
  private struct Row: Codable, Sendable {
    var id: String
  }

  private typealias Feed = CollectionFeed<Row, NoContent, NoContent>

  private let inbox = CollectionAddress(client: "u42", name: "inbox")
  private let file = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID())")

  /// What a feed has reported.
  @MainActor private final class Log {
    var content = FeedContent<Row, NoContent, NoContent>()
    var refusals: [ClientError] = []
    var interruptions: [ClientError] = []
  }

  private nonisolated func problem(_ status: Int, _ code: String) -> ScriptedPeer.Script {
    .init(body: #"{"status":\#(status),"code":"\#(code)"}"#, status: status)
  }

  private nonisolated func taken(_ seq: Int) -> ScriptedPeer.Script {
    .init(body: #"{"version":"v\#(seq)","seq":\#(seq),"changed":true}"#)
  }

  /// A peer that has the first version, and answers the first edits as given and later ones by receipts.
  private func peer(_ answers: [ScriptedPeer.Script]) throws -> ScriptedPeer {
    let count = Locked(0)
    let snapshot = #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[]}"#
    return try ScriptedPeer(answering: { [self] request in
      if request.contains("?window=first") { return .init(body: snapshot) }
      guard request.hasPrefix("PATCH") else {
        guard request.contains("/delta?since=&") else { return .events("", closes: false) }
        return .events("event: snapshot\nid: v1\ndata: \(snapshot)\n\n", closes: false)
      }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number <= answers.count ? answers[number - 1] : taken(number)
    })
  }

  private func keys(_ peer: ScriptedPeer) -> [Substring] {
    peer.requests.filter { $0.hasPrefix("PATCH") }.map { request in
      request.split(separator: "\r\n").first { $0.hasPrefix("Idempotency-Key") } ?? ""
    }
  }

  /// Makes an edit and runs a feed until it was taken or refused.
  private func run(
    _ peer: ScriptedPeer, _ kind: TransportKind = .curl, _ clock: PauseLog = PauseLog(),
    untilRefused: Bool = false
  ) async throws -> Log {
    var options = FeedOptions(clock)
    options.edits = file
    options.stallSeconds = 600  // the stream says nothing more
    let feed = Feed(try kind.client(peer), inbox, options: options)
    let log = Log()
    let running = Task {
      try await feed.run { event in
        switch event {
        case .change(let content): log.content = content
        case .interrupted(let error, _): log.interruptions.append(error)
        case .refused(_, let reason): log.refusals.append(reason)
        }
      }
    }
    try await until { log.content.version == "v1" }
    try await feed.edit { try $0.insert([Row(id: "new")], at: .last(in: "")) }
    try await until { !self.keys(peer).isEmpty && log.content.pendingCount == 0 }
    try await until { try await feed.content.pendingCount == 0 }
    if untilRefused { try await until { !log.refusals.isEmpty } }
    running.cancel()
    _ = await running.result
    peer.stop()
    return log
  }

  /// Answers that say nothing about the edits.
  private nonisolated static var passing: [(String, ScriptedPeer.Script)] {
    let html: (Int) -> ScriptedPeer.Script = {
      .init(body: "<p>default backend</p>", status: $0, type: "text/html")
    }
    let codes = [
      "not-found", "method-not-allowed", "bad-request", "misdirected", "origin-not-allowed",
      "unauthenticated", "token-expired", "rate-limited", "idempotency-in-flight", "overloaded",
      "too-many-parked", "too-much-work", "store-unavailable", "outcome-unknown", "draining",
      "storage-full", "source-failed", "internal", "view-changed", "not-applied", "blocked-by-waf",
    ]
    return [400, 403, 404, 405, 412, 413, 422].map { ("HTML \($0)", html($0)) } + [
      ("an empty 404", .init(body: "", status: 404)),
      (
        "JSON that is no problem",
        .init(body: #"{"code":"edit-conflict"}"#, status: 409, type: "application/json")
      ),
      ("a problem without a code", .init(body: #"{"title":"no"}"#, status: 422)),
      ("a success that is no receipt", .init(body: #"{"ok":true}"#)),
      ("a page as a success", .init(body: "<p>Log in</p>")),
      ("a success without a body", .init(body: "", status: 204)),
      (
        "a redirect",
        .init(answer: "HTTP/1.1 307 X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
      ),
    ] + codes.map { code in (code, .init(body: #"{"code":"\#(code)"}"#, status: 400)) }
  }

  @Test(arguments: passing)
  func `edits are kept, and sent again after pauses, whatever a proxy or a busy service answers`(
    what: String, answer: ScriptedPeer.Script
  ) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer([answer, answer])
    let clock = PauseLog()
    let log = try await run(peer, .curl, clock)
    #expect(log.refusals.isEmpty)
    #expect(keys(peer).count == 3)
    #expect(Set(keys(peer)).count == 1)
    #expect(clock.pauses == [.milliseconds(500), .seconds(1)])
    #expect(peer.requests.allSatisfy { !$0.contains("elsewhere") })
  }

  @Test(arguments: [
    "bad-json", "bad-snapshot", "body-too-large", "collection-not-found", "duplicate-id",
    "edit-conflict", "has-source", "idempotency-key-reuse", "insufficient-scope", "too-deep",
    "too-many-items",
  ])
  func `edits are given up on a code that refuses them`(code: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer([problem(409, code)])
    let log = try await run(peer, untilRefused: true)
    #expect(log.refusals == [.problem(ProblemDetails(status: 409, code: code))])
    #expect(keys(peer).count == 1)
  }

  @Test(arguments: TransportKind.allCases, [301, 302, 303, 307, 308])
  func `no redirect is followed with edits`(kind: TransportKind, status: Int) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let redirect = ScriptedPeer.Script(
      answer: "HTTP/1.1 \(status) X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    let peer = try peer([redirect])
    let log = try await run(peer, kind)
    #expect(log.refusals.isEmpty)
    #expect(keys(peer).count == 2)
    #expect(peer.requests.allSatisfy { !$0.contains("elsewhere") })
  }

  @Test(arguments: ["version-conflict", "precondition-required"])
  func `edits on an outdated version are sent again after pauses whose bound doubles`(
    code: String
  ) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer(Array(repeating: problem(412, code), count: 8))
    let clock = PauseLog()
    let log = try await run(peer, .curl, clock)
    #expect(log.refusals.isEmpty)
    #expect(clock.pauses == [0.5, 1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
    // One conflict with others is common.
    #expect(log.interruptions.count == 7)
  }

  @Test func `a poll sends edits on outdated versions a few times, and leaves them for later`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: file) }
    let count = Locked(0)
    let peer = try ScriptedPeer(answering: { [self] request in
      guard request.hasPrefix("PATCH") else {
        return .init(
          body: #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[]}"#)
      }
      count.withLock { $0 += 1 }
      return problem(412, "version-conflict")
    })
    let clock = PauseLog()
    var options = FeedOptions(clock)
    options.edits = file
    let feed = Feed(try TransportKind.curl.client(peer), inbox, options: options)
    try await feed.edit { try $0.insert([Row(id: "c")], at: .last(in: "")) }
    try await feed.poll()
    peer.stop()
    #expect(count.withLock { $0 } == 4)
    #expect(clock.pauses == [0.5, 1, 2].map { Duration.seconds($0) })
    #expect(try await feed.content.pendingCount == 1)
  }

  @Test func `a damaged line of the file loses itself alone, and is reported once`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer([])
    let address = try ServerAddress(peer.address)
    do {
      var outbox = try Outbox(inbox, of: address, at: file)
      for id in ["a", "b", "c"] {
        let edit = #"[{"op":"append","section":"","items":[{"id":"\#(id)"}]}]"#
        try outbox.add(Array(edit.utf8), to: nil)
      }
    }
    var text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    text = text.replacing(#""items":[{"id":"b"}]"#, with: #""items":[{"id":"x"}]"#)
    // A line of another release, and one that was torn before anybody relied on it.
    let strange = #"{"kind":"of another release"}"#
    let checksum = String(hash128(Array(strange.utf8)).low, radix: 16)
    try Data((text + "\n\(checksum) \(strange)\nabcdef {\"key").utf8).write(to: file)
    let log = try await run(peer)
    let reports = log.interruptions.map { "\($0)" }
    #expect(reports.count == 1)
    #expect(reports.first?.contains("2 damaged in the file of edits") == true)
    #expect(reports.first?.contains(#"{"id":"x"}"#) == true)
    #expect(reports.first?.contains("another release") == true)
    #expect(keys(peer).count == 3)
    var next = try Outbox(inbox, of: address, at: file)
    #expect(next.takeDamage()?.contains("1 damaged") == true)
    #expect(next.pending.isEmpty)
  }
}
