import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient

struct DeltaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delta",
    abstract: "Shows what changed since a version.",
    discussion: """
      Without --since it shows the whole list. With --wait it waits for a change if there is none.

        livedelta delta u42/inbox --since "$VERSION"
        livedelta delta u42/inbox --since "$VERSION" --wait 25 --json
        livedelta delta u42/inbox --since "$VERSION" --where /unread:eq:true
      """)

  @Option(help: ArgumentHelp("The version to start from.", valueName: "version"))
  var since: String?

  @Option(help: ArgumentHelp("Seconds to wait for a change, at most 55.", valueName: "seconds"))
  var wait: Int?

  @OptionGroup(title: "View options") var view: ViewOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await collection.run(view) { client, collection in
      let reply = try await client.delta(of: collection, since: since, wait: wait)
      let printer = output.printer
      if output.json { return printer.json(reply.answer.body) }
      guard case .delta(let delta) = reply.value else {
        return printer.lines(reply.value.lines)
      }
      printer.heading("delta to \(delta.to)")
      // An error means that the older version is no longer retained: items are named by position.
      if let source = try? await client.snapshot(of: collection, version: delta.from),
        let update = try? ReplicaUpdate(delta, from: source.value.sections)
      {
        return printer.show(update)
      }
      for line in delta.changeLines { printer.change(line) }
      for id in delta.deleted { printer.line("deleted: \(id)") }
    }
  }
}
