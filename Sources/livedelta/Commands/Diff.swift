import ArgumentParser
import DeltaEngine
import LiveCollectionsClient

/// `livedelta diff OLD NEW`.
struct Diff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the delta between two snapshots in files; needs no running service.",
    discussion: """
        livedelta diff examples/inbox-1.json examples/inbox-2.json
        livedelta diff old.json new.json --json | jq '.steps | length'
      """)

  @Argument(help: "The snapshot to start from; - for standard input. May be gzipped.")
  var old: String

  @Argument(help: "The snapshot to end at, likewise.")
  var new: String

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reporting {
      let (oldBytes, newBytes) = (try InputFile.read(old), try InputFile.read(new))
      let server = try LocalServer()
      do {
        let reply = try await DeltaClient(server.address).diff(from: oldBytes, to: newBytes)
        await server.stop()
        if output.json { return Terminal.body(reply.answer.body) }
        let update = try ReplicaUpdate(
          reply.value, from: try WireSnapshot(body: oldBytes).sections)
        await show(update)
      } catch ClientError.problem(let problem) {
        throw Failure.data("\(old), \(new): \(problem)")
      }
    }
  }

  private func show(_ update: ReplicaUpdate) async {
    let presenter = ReplicaPresenter(update.source)
    let view = TextView(presenter) { Terminal.line($0) }
    for index in update.delta.steps.indices {
      Terminal.line("step \(index + 1) of \(update.delta.steps.count)")
      await presenter.performStep(index, of: update, in: view)
    }
    if update.delta.isEmpty { Terminal.line("no difference") }
  }
}
