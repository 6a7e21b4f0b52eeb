import Foundation
import HTTPTestSupport
import LiveDeltaClient
import Synchronization
import TestSupport
import Testing

/// Readers whom a backend knows, which grants, withdraws, fails and is slow at random, and a judge of what they
/// are told.
///
/// `scripts/never-wrong` runs it for longer.
@Suite(.timeLimit(.minutes(60))) struct ForwardNeverWrongTests {
  /// What the backend says about a session.
  private enum State: CaseIterable {
    case granted, slow, withdrawn, forbidden, failing

    var answer: ForwardSessions.Answer {
      switch self {
      case .granted: .status(204)
      case .slow: .late(200)
      case .withdrawn: .status(401)
      case .forbidden: .status(403)
      case .failing: .none
      }
    }

    /// The status of a request of the session.
    var status: Int {
      switch self {
      case .granted, .slow: 200
      case .withdrawn: 401
      case .forbidden: 403
      case .failing: 503
      }
    }

    var isGood: Bool { self == .granted || self == .slow }
  }

  private struct Reader {
    let number: Int
    let stream: EventReader
    let poll: RawConnection
    var state = State.granted
  }

  private static let readerCount = 8

  @Test func `nobody is told what a verdict forbids, and no good session loses its stream`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["LIVEDELTA_NEVER_WRONG_SECONDS"].flatMap { Int($0) } ?? 4
    let seed =
      environment["LIVEDELTA_NEVER_WRONG_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    print("forward-auth, never wrong: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let end = ContinuousClock.now + .seconds(seconds)
    var rounds = 0
    repeat {
      try await round(seed, &random)
      rounds += 1
    } while ContinuousClock.now < end
    print("forward-auth, never wrong: \(rounds) rounds of \(Self.readerCount) readers")
  }

  private func round(_ seed: UInt64, _ random: inout SeededGenerator) async throws {
    let sessions = ForwardSessions()
    let states = Mutex<[String: State]>([:])
    sessions.answer { cookie in (states.withLock { $0[cookie] } ?? .granted).answer }
    let next = (0..<Self.readerCount).map { _ in
      State.allCases.randomElement(using: &random) ?? .slow
    }
    let settled = next.map { state in
      state == .failing
        ? [State.granted, .withdrawn, .slow].randomElement(using: &random) ?? .slow : state
    }
    let isLong = Int.random(in: 0..<3, using: &random) == 0
    try await TestServer.run(sessions.configure) { server in
      var version = try await Self.write(server)
      var readers = try await Self.readers(server, version)
      sessions.date.now += 6
      for index in readers.indices { Self.set(next[index], &readers[index], states) }
      version = try await Self.write(server)
      // Those that are refused are gone before the next write.
      for reader in readers where !reader.state.isGood && reader.state != .failing {
        try await Self.expectEnd(reader, "token-expired", upTo: version, seed)
      }
      for reader in readers {
        let fields = ForwardSessions.field(reader.number)
        let answer = try await server.send("GET", TestServer.inbox, fields, on: server.reader())
        #expect(answer.status == reader.state.status, "seed \(seed): \(reader.state)")
      }
      let streams = readers.filter { $0.state.isGood || $0.state == .failing }
      for reader in streams {
        let event = try #require(await reader.stream.next())
        #expect(event.id == version, "seed \(seed): \(reader.state) got \(event)")
      }
      if isLong {
        sessions.date.now += 31
        for reader in streams where reader.state == .failing {
          try await Self.expectEnd(reader, "unverified", upTo: version, seed)
        }
      }
      for index in readers.indices { Self.set(settled[index], &readers[index], states) }
      // One that was woken while the backend failed has waited for it.
      for (reader, before) in zip(readers, next) {
        let status = try await reader.poll.response().status
        #expect(status == reader.state.status, "seed \(seed): \(before), \(reader.state)")
      }
      if !isLong { try await Self.settle(server, readers, next, sessions, version, seed) }
    }
  }

  /// Judges the streams about which the backend did not answer for a time that is less than the grace.
  private static func settle(
    _ server: TestServer, _ readers: [Reader], _ before: [State], _ sessions: ForwardSessions,
    _ version: String, _ seed: UInt64
  ) async throws {
    sessions.date.now += 6
    for (reader, state) in zip(readers, before) where state == .failing && !reader.state.isGood {
      try await expectEnd(reader, "token-expired", upTo: version, seed)
    }
    let last = try await write(server)
    for (reader, state) in zip(readers, before) where reader.state.isGood {
      guard state.isGood || state == .failing else { continue }
      let event = try #require(await reader.stream.next())
      #expect(event.id == last, "seed \(seed): \(state) got \(event)")
    }
  }

  /// Expects the end of a stream, before which only what was written by then was told.
  private static func expectEnd(
    _ reader: Reader, _ reason: String, upTo version: String, _ seed: UInt64
  ) async throws {
    var event = try #require(await reader.stream.next())
    if event.name == "delta" {
      #expect(event.id == version, "seed \(seed): \(event)")
      event = try #require(await reader.stream.next())
    }
    #expect(
      event.name == "end" && event.json["reason"].string == reason, "seed \(seed): \(event)")
    #expect(await reader.stream.next() == nil)
  }

  private static func set(
    _ state: State, _ reader: inout Reader, _ states: borrowing Mutex<[String: State]>
  ) {
    reader.state = state
    let cookie = "session=\(reader.number)"
    states.withLock { $0[cookie] = state }
  }

  private static func write(_ server: TestServer) async throws -> String {
    let body = #"[{"id":\#(UInt32.random(in: 0...UInt32.max))}]"#
    let answer = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), body)
    return try #require(answer["Collection-Version"], "\(answer.text)")
  }

  private static func readers(_ server: TestServer, _ version: String) async throws -> [Reader] {
    var readers: [Reader] = []
    for number in 1...readerCount {
      let fields = ForwardSessions.field(number)
      let stream = try EventReader(server.address, TestServer.inbox + "/delta", fields)
      #expect(await stream.next()?.name == "snapshot")
      let poll = try RawConnection(server.address)
      await poll.send("GET", TestServer.inbox + "/delta?since=\(version)&wait=50", fields)
      readers.append(Reader(number: number, stream: stream, poll: poll))
    }
    try await server.untilParked(2 * readerCount)
    return readers
  }
}
