import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient

struct Versions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the versions that are kept.",
    discussion: """
      The newest is first.

        livedelta versions u42/inbox
        livedelta versions u42/inbox --json | jq -r '.versions[1].version'
      """)

  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      let reply = try await client.versions(of: collection)
      if output.json { return output.printer.json(reply.answer.body) }
      var table = TextTable()
      for version in reply.value {
        table.add(version.version, Timestamp.age(of: version.time) ?? version.time)
      }
      output.printer.lines(table.lines)
    }
  }
}
