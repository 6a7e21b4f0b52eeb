import ArgumentParser
import LiveDeltaClient

/// `livedelta delta`.
struct DeltaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delta",
    abstract: "Shows what turns a version of a collection into the newest one.",
    discussion: """
      Without --since it is the whole content. With --wait it waits for news when there is none.

        livedelta delta --collection u42/inbox --since k3f9m2qx.41.smi5BHIsjcU2NK83
        livedelta delta -c u42/inbox --since "$VERSION" --wait 25 --json
      """)

  @Option(help: "The version that you hold.")
  var since: String?

  @Option(help: "Seconds to wait for news, at most 55.")
  var wait: Int?

  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      let collection = try await client.withIDPath(collection)
      let reply = try await client.delta(of: collection, since: since, wait: wait)
      let printer = output.printer
      if output.json { return printer.json(reply.answer.body) }
      guard case .delta(let delta) = reply.value else {
        for line in reply.value.lines { printer.line(line) }
        return
      }
      printer.heading("delta to \(delta.to)")
      // An error means that the older version is no longer retained: items are named by position.
      if let source = try? await client.snapshot(of: collection, version: delta.from),
        let update = try? ReplicaUpdate(delta, from: source.value.sections)
      {
        return await printer.show(update)
      }
      for line in delta.changeLines { printer.change(line) }
      for id in delta.deleted { printer.line("gone: \(id)") }
    }
  }
}
