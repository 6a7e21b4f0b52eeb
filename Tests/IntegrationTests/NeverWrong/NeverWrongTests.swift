import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

/// Random writers and readers, the server ended and started again under them, and a judge.
///
/// `scripts/never-wrong --seconds N --seed S` runs it for longer. The seed draws what is done;
/// when it is done is the machine's business, so that no two runs are the same.
@Suite(.timeLimit(.minutes(60))) struct NeverWrongTests {
  @Test func `nobody is ever told wrong, whatever happens`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["LIVEDELTA_NEVER_WRONG_SECONDS"].flatMap { Int($0) } ?? 4
    let seed =
      environment["LIVEDELTA_NEVER_WRONG_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    print("never wrong: seed \(seed)")
    var testRun = try TestRun(seed: seed)
    defer { testRun.cleanUp() }
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
      try await testRun.live()
    } while ContinuousClock.now < end && testRun.judge.faults.isEmpty
    print(testRun.report)
    #expect(testRun.judge.faults.isEmpty, "seed \(seed): \(testRun.judge.faults.prefix(3))")
  }
}

/// All actors, the directory that the server keeps its versions in, and the judge.
private struct TestRun {
  private let seed: UInt64
  private let directory: URL
  private var random: SeededGenerator
  private var actors: [(name: String, actor: any TestActor)] = []
  /// One for all runs, so that its moments can be compared.
  private let history = History()
  private let credentials: Credentials
  private var runs = 0
  private var kills = 0
  private(set) var judge = Judge(unruly: ["u1/ruled"])

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    directory = FileManager.default.temporaryDirectory.appending(
      path: "never-wrong-\(UUID().uuidString)")
    credentials = try Credentials(besides: directory)
    actors = Self.actors(seed: seed)
  }

  func cleanUp() {
    try? FileManager.default.removeItem(at: directory)
    credentials.cleanUp()
  }

  var report: String {
    let counts = judge.counts.sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
    return """
      never wrong: seed \(seed), \(runs) runs, \(kills) ended by SIGKILL
      \(counts.joined(separator: "\n"))
        \(credentials.exchanges) keys exchanged
        \(credentials.refusals) requests refused because their key or token was over
        \(judge.faults.count) faults
      """
  }

  private static func actors(seed: UInt64) -> [(String, any TestActor)] {
    var actors: [(String, any TestActor)] = []
    var next = seed
    func add(_ name: String, _ make: (UInt64) -> any TestActor) {
      next &+= 0x9e37_79b9
      actors.append(("\(name) \(actors.count)", make(next)))
    }
    let plain = [("u1", "plain"), ("u1", "flux"), ("u2", "plain")]
    for (client, name) in plain {
      for _ in 0..<2 { add("writer") { Writer(client, name, deletes: name == "flux", seed: $0) } }
      add("replica") { Replica(client, name, seed: $0) }
      add("historian") { Historian(client, name, seed: $0) }
    }
    for dialect in HeldVersion.dialects.indices {
      let (client, name) = plain[dialect % plain.count]
      add("poller") { Poller(client, name, dialect: dialect, seed: $0) }
      add("poller") { Poller("u1", "ruled", dialect: dialect, isUnruly: true, seed: $0) }
      add("stream") {
        StreamReader(client == "u1" ? "u2" : "u1", "plain", dialect: dialect, seed: $0)
      }
    }
    add("stream") { StreamReader("u1", "ruled", dialect: 0, isUnruly: true, seed: $0) }
    add("stream") { StreamReader("u1", "flux", dialect: 4, seed: $0) }
    add("settings writer") { SettingsWriter("u1", "ruled", seed: $0) }
    for _ in 0..<2 {
      add("pair writer") { PairWriter("u1", seed: $0) }
      add("pair reader") { PairReader("u1", seed: $0) }
      add("forger") { Forger(["u1/plain", "u1/flux", "u2/plain", "u1/left"], seed: $0) }
      add("disconnecting client") {
        DisconnectingClient(["u1/plain", "u1/flux", "u1/ruled", "u3/none"], seed: $0)
      }
    }
    return actors
  }

  // MARK: One run of the server

  mutating func live() async throws {
    runs += 1
    // Sometimes whoever can connect may do everything.
    let hasKeys = Int.random(in: 0..<4, using: &random) > 0
    let service = try await start(hasKeys: hasKeys)
    let (entries, history, credentials) = (actors, history, credentials)
    let run = ServerRun(
      try ServerAddress(try #require(service.listening.first)), history, credentials)
    let exchange = Task {
      if hasKeys { await credentials.exchange(run) { service.send(SIGHUP) } }
    }
    let isKilled = Int.random(in: 0..<3, using: &random) > 0
    let count = Int.random(in: 300..<3000, using: &random)
    let (returned, metrics) = await withTaskGroup(of: (Int, any TestActor)?.self) { group in
      for (index, entry) in entries.enumerated() {
        group.addTask {
          (index, await ClientSession(run, entry.name, index).perform(entry.actor))
        }
      }
      await history.until(count)
      let metrics = await Self.metrics(of: service, credentials)
      run.end()
      service.send(isKilled ? SIGKILL : SIGTERM)
      var returned: [(Int, any TestActor)] = []
      for await result in group { if let result { returned.append(result) } }
      return (returned, metrics)
    }
    for (index, actor) in returned { actors[index].actor = actor }
    await exchange.value
    let status = await service.end()
    if isKilled { kills += 1 } else if status != 0 { judge.note("it ended with \(status)") }
    judge.judge(history.take())
    check(metrics)
  }

  private mutating func start(hasKeys: Bool) async throws -> RunningService {
    // Sometimes so little memory that every collection comes from the disk.
    let memory = Int.random(in: 0..<3, using: &random) == 0 ? "1" : "512M"
    let durability = Bool.random(using: &random) ? "full" : "normal"
    return try await RunningService(
      "--data", directory.path, "--memory", memory, "--durability", durability,
      environment: [
        "LIVEDELTA_DRAIN_DELAY_SECONDS": "0", "LIVEDELTA_DRAIN_WINDOW_SECONDS": "0",
        "LIVEDELTA_LOG_ACCESS": "off",
      ].merging(hasKeys ? credentials.environment : [:]) { $1 })
  }

  /// What the server counts; asked for again when the key was exchanged meanwhile.
  private static func metrics(of service: RunningService, _ credentials: Credentials) async
    -> String
  {
    guard let address = try? ServerAddress(service.operations) else { return "" }
    while true {
      let credential = credentials.next(1)
      let client = DeltaClient(
        address, transport: CurlTransport(), tokens: { _ in credential.secret })
      guard let answer = try? await client.request("GET", "/metrics") else { return "" }
      if answer.status != 401 || !credentials.mayRefuse(credential) { return answer.text }
    }
  }

  /// What the server itself counts as faults.
  private mutating func check(_ metrics: String) {
    for name in ["delta_refusals_total", "damaged_loads_total", "failed_commits_total"] {
      guard
        let line = metrics.split(separator: "\n").first(where: {
          $0.hasPrefix("livedelta_\(name) ")
        })
      else {
        judge.note("the metrics have no \(name)")
        continue
      }
      if !line.hasSuffix(" 0") { judge.note(String(line)) }
    }
  }
}
