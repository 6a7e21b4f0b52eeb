import ArgumentParser
import LiveDeltaClient

/// `livedelta versions`.
struct Versions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the versions of a collection that are kept, newest first.",
    discussion: """
        livedelta versions --collection u42/inbox
        livedelta versions -c u42/inbox --json | jq -r '.versions[1].version'
      """)

  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      let reply = try await client.versions(of: collection)
      if output.json { return output.printer.json(reply.answer.body) }
      var table = TextTable()
      for version in reply.value { table.add(version.version, version.time) }
      for line in table.lines { output.printer.line(line) }
    }
  }
}
