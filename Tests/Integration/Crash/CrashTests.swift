import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

/// Ends the program at random moments while writers and readers are at it, by SIGKILL and now and then by
/// SIGTERM.
///
/// Readers hold what was written at each version that they are told. Whatever was acknowledged must be there
/// after each restart. `scripts/test crashes` does it 300 times.
@Suite(.timeLimit(.minutes(60))) struct CrashTests {
  @Test func `no end at a random moment loses what was acknowledged or misleads a reader`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let kills = rounds(300)
    let seed = environment["LIVEDELTA_CRASH_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...9999)
    let folder = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var generator = SeededGenerator(seed: seed)
    var books = (0..<6).map { CrashBook(number: $0, seed: seed) }
    var counts = CrashCounts()
    for kill in 0...kills {
      // Half of the time nothing stays in memory: each request brings its collection back.
      let memory = kill % 2 == 0 ? "512M" : "0"
      let durability = kill % 5 == 4 ? "normal" : "full"
      let service = try await RunningService(
        "--data", folder, "--memory", memory, "--durability", durability)
      let address = try ServerAddress(try #require(service.listening.first))
      books = try await Self.verify(books, address, &counts)
      if kill % 50 == 49 { print("crash test, seed \(seed): \(counts)") }
      if kill == kills {
        await service.stop()
        break
      }
      let writes = Int.random(in: 1...160, using: &generator)
      books = try await Self.run(books, address, killAtWrite: writes) {
        service.send(kill % 7 == 6 ? SIGTERM : SIGKILL)
        _ = await service.end()
      }
      counts.kills += 1
    }
    for book in books { counts.add(book) }
    let check = try await Program.run("verify", "--data", folder)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    print("crash test, seed \(seed): \(counts)")
    #expect(counts.faults.isEmpty, "seed \(seed): \(counts.faults.joined(separator: "\n"))")
  }

  /// Sees that all is there after a restart.
  private static func verify(
    _ books: [CrashBook], _ address: ServerAddress, _ counts: inout CrashCounts
  ) async throws -> [CrashBook] {
    try await withThrowingTaskGroup(of: (CrashBook, CrashCounts).self) { group in
      for book in books {
        group.addTask {
          var (book, found) = (book, CrashCounts())
          try await book.verify(DeltaClient(address, transport: CurlTransport()), &found)
          return (book, found)
        }
      }
      var after: [CrashBook] = []
      for try await (book, found) in group {
        after.append(book)
        counts.add(found)
      }
      return after.sorted { $0.number < $1.number }
    }
  }

  /// Lets a writer and a reader at each collection until the service is gone.
  ///
  /// It is killed when so many writes went out: while one is on its way, and those of the other
  /// writers are anywhere. A writer that ends earlier ends the waiting too.
  private static func run(
    _ books: [CrashBook], _ address: ServerAddress, killAtWrite writes: Int,
    kill: @escaping @Sendable () async throws -> Void
  ) async throws -> [CrashBook] {
    try await withThrowingTaskGroup(of: CrashBook?.self) { group in
      let (sent, sending) = AsyncStream<Void>.makeStream()
      group.addTask {
        for await _ in sent.prefix(writes) {}
        try await kill()
        return nil
      }
      for book in books {
        group.addTask {
          var book = book
          let before = book
          async let held = before.follow(DeltaClient(address, transport: CurlTransport()))
          await book.write(DeltaClient(address, transport: CurlTransport())) { sending.yield() }
          sending.finish()
          book.hold(await held)
          return book
        }
      }
      var after: [CrashBook] = []
      for try await book in group { if let book { after.append(book) } }
      return after.sorted { $0.number < $1.number }
    }
  }
}

/// What a crash test has seen.
struct CrashCounts: CustomStringConvertible {
  var kills = 0
  var acknowledged = 0
  /// Versions that readers held while the service ran.
  var judged = 0
  var replays = 0
  /// Writes that were under way when the service was killed, by what had become of them.
  var committed = 0
  var lost = 0
  var tokens = 0
  var deltas = 0
  var resets: [String: Int] = [:]
  var faults: [String] = []

  mutating func add(_ other: CrashCounts) {
    replays += other.replays
    committed += other.committed
    lost += other.lost
    tokens += other.tokens
    deltas += other.deltas
    resets.merge(other.resets, uniquingKeysWith: +)
  }

  mutating func add(_ book: CrashBook) {
    acknowledged += book.acknowledged
    judged += book.judged
    faults += book.faults
  }

  var description: String {
    let reasons = resets.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(kills) ends, \(acknowledged) writes acknowledged, \(judged) versions judged, "
      + "\(replays) keys replayed, "
      + "of writes under way \(committed) committed and \(lost) not, \(tokens) tokens: \(deltas) "
      + "deltas, resets: \(reasons.joined(separator: ", ")); \(faults.count) faults"
  }
}
