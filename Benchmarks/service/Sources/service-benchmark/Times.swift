/// How long a PUT and a delta take, beside the peer's, in one run by turns.
enum Times {
  private static let path = "/v1/clients/bench/collections/list"

  /// A server with what was measured of it.
  private final class Subject {
    let server: Server
    let connection: Connection
    var versions: [String] = []
    var puts: [Double] = []
    var deltas: [Double] = []
    var refusals: [Double] = []
    var refusalProcessor: [Double] = []
    var putProcessor: [Double] = []
    var deltaProcessor: [Double] = []

    init(_ server: Server) throws {
      self.server = server
      connection = try Connection(port: server.port)
    }

    func put(_ body: [UInt8]) throws {
      let answer = try measure(&puts, &putProcessor) {
        try connection.ask("PUT", path, [], body)
      }
      guard 200...201 ~= answer.status,
        let version = answer.text.firstRange(of: "\"version\":\"").map({
          answer.text[$0.upperBound...].prefix { $0 != "\"" }
        })
      else { throw BenchmarkError(text: "\(server.name): \(answer.head) \(answer.text)") }
      versions.append(String(version))
    }

    /// What another program does meanwhile is in the time, not in the processor's.
    private func measure(
      _ times: inout [Double], _ processor: inout [Double], _ body: () throws -> Connection.Answer
    ) throws -> Connection.Answer {
      let before = server.processorMilliseconds
      let clock = ContinuousClock()
      let start = clock.now
      let answer = try body()
      times.append(start.duration(to: clock.now) / .milliseconds(1))
      processor.append(server.processorMilliseconds - before)
      return answer
    }

    /// As many bytes that are no JSON: what it takes to receive a body and to answer.
    func refuse(_ count: Int) throws {
      let answer = try measure(&refusals, &refusalProcessor) {
        try connection.ask(
          "PUT", path + "-none", [], [UInt8](repeating: UInt8(ascii: "x"), count: count))
      }
      guard answer.status >= 400 else { throw BenchmarkError(text: "\(server.name): \(answer.head)") }
    }

    /// From the last version but one: nobody has asked for that before.
    func delta() throws {
      guard versions.count > 2 else { return }
      let since = versions[versions.count - 3]
      let answer = try measure(&deltas, &deltaProcessor) {
        try connection.ask("GET", path + "/delta?since=\(since)")
      }
      guard answer.status == 200, answer.text.contains("\"kind\":\"delta\"") else {
        throw BenchmarkError(text: "\(server.name): \(answer.head)")
      }
    }
  }

  static func run(_ options: Options) throws {
    print("| items | body, KB | what | ms | peer's | ratio | processor, ms | peer's | ratio |")
    print("|---:|---:|---|---:|---:|---:|---:|---:|---:|")
    for size in options.sizes {
      let rounds = options.rounds > 0 ? options.rounds : max(3, min(40, 100_000 / size))
      try run(size, rounds)
    }
  }

  private static func run(_ size: Int, _ rounds: Int) throws {
    let options = try Options(CommandLine.arguments.dropFirst())
    let ours = try Subject(try Server.ours(options.livedelta))
    defer { ours.server.stop() }
    let peer = try Subject(try Server.peer())
    defer { peer.server.stop() }
    var list = RandomList(count: size, seed: 7)
    for _ in 0..<(rounds + 2) {
      let body = list.body
      for subject in [ours, peer] {
        try subject.put(body)
        try subject.delta()
        try subject.refuse(body.count)
      }
      list.change(onePercentOf: size)
    }
    func row(_ own: [Double], _ theirs: [Double]) -> String {
      let (a, b) = (median(own), median(theirs))
      return "\(text(a)) | \(text(b)) | \(text(b / a))"
    }
    // The first version is compared with nothing.
    let puts = row(Array(ours.puts.dropFirst()), Array(peer.puts.dropFirst()))
    let putProcessor = row(
      Array(ours.putProcessor.dropFirst()), Array(peer.putProcessor.dropFirst()))
    let kilobytes = list.body.count / 1000
    print("| \(size) | \(kilobytes) | PUT | \(puts) | \(putProcessor) |")
    let deltas = row(ours.deltas, peer.deltas)
    let deltaProcessor = row(ours.deltaProcessor, peer.deltaProcessor)
    print("| \(size) | | delta | \(deltas) | \(deltaProcessor) |")
    let refusals = row(ours.refusals, peer.refusals)
    let refusalProcessor = row(ours.refusalProcessor, peer.refusalProcessor)
    print("| \(size) | | refusal | \(refusals) | \(refusalProcessor) |")
  }

  private static func text(_ value: Double) -> String {
    let digits = value < 10 ? 1000.0 : 10
    return "\((value * digits).rounded() / digits)"
  }
}
