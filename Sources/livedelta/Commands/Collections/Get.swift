import ArgumentParser
import LiveDeltaClient

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
    try await collection.run { client, collection in
      try await output.printer.show(of: collection, client)
    }
  }
}
