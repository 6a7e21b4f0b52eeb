import ArgumentParser
import LiveCollectionsClient

/// `livedelta get`.
struct Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the newest version of a collection.",
    discussion: """
        livedelta get --collection u42/inbox
        livedelta get --collection u42/inbox --json > inbox.json
      """)

  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reporting {
      try await collection.run { client, collection in
        let reply = try await client.snapshot(of: collection)
        if output.json { return Terminal.body(reply.answer.body) }
        Terminal.line("\(collection) version \(reply.value.version)")
        for line in reply.value.lines { Terminal.line(line) }
      }
    }
  }
}
