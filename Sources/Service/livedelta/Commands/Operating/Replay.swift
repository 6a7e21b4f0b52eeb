import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient

struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Proves every delta of a recorded history.",
    discussion: """
      The file has a version of a list in each line, oldest first; sections, items and meta of a line \
      count, its other members are notes. They are written to a service one by one. A reader follows by \
      long poll, and another one returns from random older versions. After each version both must hold \
      exactly what was written, and a simulated list view must accept every step of the delta.

      Without --server, the command starts a service of its own.

        livedelta replay examples/movies.ndjson
        livedelta replay history.ndjson.gz --server 127.0.0.1:8080 --seed 7
      """)

  @Argument(
    help: "The versions, one a line; - for standard input. May be gzipped.",
    completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("A running service: HOST:PORT, a URL or unix:PATH.", valueName: "address"))
  var server: String?

  @Option(help: "Repeats a run with the same older versions; each run prints its seed.")
  var seed: UInt64?

  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let versions = try ReplayInput.read(file)
    if let server {
      try await play(versions, at: try Failure.configuring { try ServerAddress(server) })
    } else {
      let service = try await RunningService.temporary()
      try await play(versions, at: service.address)
      await service.stop()
    }
  }

  private func play(_ versions: [ReplayVersion], at address: ServerAddress) async throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64.max)
    let name = "replay-\(UInt32.random(in: 0...UInt32.max))"
    let collection = CollectionAddress(client: "livedelta", name: name)
    var run = ReplayRun(address, collection, seed: seed)
    do {
      for version in versions { try await run.play(version) }
      try await run.cleanUp()
    } catch {
      throw Failure(error, address)
    }
    let report = ReplayReport(statistics: run.statistics, seed: seed)
    if output.json { output.printer.json(report.json) } else { output.printer.lines(report.lines) }
    if !run.statistics.isPerfect { throw ExitStatus.notAsItShouldBe.code }
  }
}
