import ArgumentParser
import LiveDeltaClient

struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows an older version.",
    discussion: """
        livedelta show "$VERSION" u42/inbox
        livedelta show "$VERSION" u42/inbox --json > before.json
      """)

  @Argument(help: "The version; `livedelta versions` lists those that are kept.")
  var version: String

  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      try await output.printer.show(version, of: collection, client)
    }
  }
}
