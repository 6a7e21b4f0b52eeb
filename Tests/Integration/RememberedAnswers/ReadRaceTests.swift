import LiveDeltaClient
import Synchronization
import TestSupport
import Testing

/// Readers that ask again and again while writers write and delete: what event loops remember is never
/// older than what anybody was told before the request was sent.
///
/// `scripts/test crashes` runs it for longer.
@Suite(.timeLimit(.minutes(60))) struct ReadRaceTests {
  @Test func `no reader is told less than a writer or another reader was`() async throws {
    let end = ContinuousClock.now + .seconds(rounds(20))
    let boards = (0..<3).map { Board("/v1/clients/u\($0)/collections/flux") }
    try await TestServer.run { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for board in boards {
          group.addTask { try await board.write(to: server.address, until: end) }
          for seed in 0..<3 {
            group.addTask { try await board.read(from: server.address, UInt64(seed), until: end) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await server.repeatedCount() > 0)
    }
    for board in boards {
      #expect(board.faults.isEmpty, "\(board.faults.prefix(3))")
      #expect(board.readCount > 0)
    }
  }
}

/// What everybody knows of one collection: its writes have numbers, which are in its content.
private final class Board: Sendable {
  private struct State {
    /// The last write that was begun, and the last that anybody knows to be done.
    var begun = 0
    var known = 0
    var readCount = 0
    var faults: [String] = []
  }

  private let path: String
  private let state = Mutex(State())

  init(_ path: String) { self.path = path }

  var faults: [String] { state.withLock { $0.faults } }
  var readCount: Int { state.withLock { $0.readCount } }

  /// Every seventh write is a deletion, and so is none: before the first there is nothing.
  private static let period = 7
  /// How often each writes or reads at least, however little of the processors it gets.
  private static let roundsMin = 40

  func write(to address: ServerAddress, until end: ContinuousClock.Instant) async throws {
    let connection = try RawConnection(address)
    while ContinuousClock.now < end || state.withLock({ $0.begun }) < Self.roundsMin {
      let number = state.withLock { state in
        state.begun += 1
        return state.begun
      }
      if number % Self.period == 0 {
        await connection.send("DELETE", path)
      } else {
        await connection.send("PUT", path, [:], Array("[{\"id\":1,\"n\":\(number)}]".utf8))
      }
      let status = try await connection.response().status
      if !(200...204 ~= status) { note("write \(number) was answered \(status)") }
      state.withLock { $0.known = max($0.known, number) }
    }
  }

  func read(
    from address: ServerAddress, _ seed: UInt64, until end: ContinuousClock.Instant
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let connection = try RawConnection(address)
    var numbers: [String: Int] = [:]
    var tokens: [String] = []
    var rounds = 0
    while ContinuousClock.now < end || rounds < Self.roundsMin {
      rounds += 1
      let token = tokens.suffix(3).randomElement(using: &random) ?? ""
      let isDelta = Bool.random(using: &random)
      let fields = isDelta || token.isEmpty ? [:] : ["If-None-Match": "\"\(token)\""]
      // The same again: the second answer may be one that is remembered.
      for _ in 0..<4 {
        let known = state.withLock { $0.known }
        await connection.send("GET", isDelta ? "\(path)/delta?since=\(token)" : path, fields)
        let answer = try await connection.response()
        let version = answer["Collection-Version"] ?? ""
        let number = Self.number(answer) ?? numbers[version]
        if let number, numbers.updateValue(number, forKey: version) == nil {
          tokens.append(version)
        }
        check(answer, number, since: known)
      }
    }
  }

  /// The number of the write whose content an answer has; nil if it has none.
  private static func number(_ answer: RawResponse) -> Int? {
    guard let place = answer.text.firstRange(of: "\"n\":") else { return nil }
    return Int(answer.text[place.upperBound...].prefix { $0.isNumber })
  }

  private func check(_ answer: RawResponse, _ told: Int?, since known: Int) {
    state.withLock { state in
      state.readCount += 1
      var number = told
      if answer.status == 404 {
        // The first deletion that it can have been.
        number = (known + Self.period - 1) / Self.period * Self.period
      }
      guard let number, known...max(known, state.begun) ~= number else {
        let told = "\(answer.status) \(answer["Collection-Version"] ?? "-") \(answer.text)"
        state.faults.append("\(told): \(number as Any), known \(known), begun \(state.begun)")
        return
      }
      state.known = max(state.known, number)
    }
  }

  private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }
}
