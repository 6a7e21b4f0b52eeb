import ArgumentParser
import LiveDeltaClient

/// `livedelta replay FILE`.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a list's real history through the service and proves every delta.",
    discussion: """
      The file holds a version a line, oldest first, each a snapshot as `put` takes it. A writer \
      PUTs them one by one; a reader follows by long poll; a second one comes back from random older \
      versions. After each version the readers must hold exactly what was written, and the strict \
      simulator of a list view must find every step lawful and the delta minimal.

      Without --server it starts a service of its own on a free port.

        livedelta replay examples/movies.ndjson
        livedelta replay history.ndjson.gz --server 127.0.0.1:8080 --seed 7
      """)

  @Argument(
    help: "The versions, a JSON text a line; - for standard input. May be gzipped.",
    completion: .file())
  var file: String

  @Option(help: "Where a running service listens.")
  var server: String?

  @Option(help: "What the random older versions come from; printed with the table.")
  var seed: UInt64?

  @OptionGroup var output: OutputOptions

  func run() async throws {
    let versions = try ReplayInput.read(file)
    if let server {
      try await play(versions, at: try Failure.configuring { try ServerAddress(server) })
    } else {
      let host = try LocalServer()
      try await play(versions, at: host.address)
      await host.stop()
    }
  }

  private func play(_ versions: [ReplayVersion], at address: ServerAddress) async throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64.max)
    let name = "replay-\(UInt32.random(in: 0...UInt32.max))"
    let collection = CollectionAddress(client: "livedelta", name: name)
    var run = ReplayRun(address, collection, seed: seed)
    let bar = ProgressBar("replay")
    do {
      for (index, version) in versions.enumerated() {
        bar.update(index, of: versions.count)
        try await run.play(version)
      }
      bar.finish()
      try await run.cleanUp()
    } catch {
      bar.finish()
      throw Failure(error, address)
    }
    let report = ReplayReport(statistics: run.statistics, seed: seed)
    if output.json {
      output.printer.json(report.json)
    } else {
      for line in report.lines { output.printer.line(line) }
    }
    if !run.statistics.isPerfect { throw ExitStatus.notAsItShouldBe.code }
  }
}
