import ArgumentParser
import LiveDeltaClient

struct Get: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a collection.",
    discussion: """
        livedelta get u42/inbox
        livedelta get u42/inbox --json > inbox.json
        livedelta get u42/inbox --where /unread:eq:true --window first:20
      """)

  @OptionGroup(title: "View options") var view: ViewOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await collection.run(view) { client, collection in
      try await output.printer.show(of: collection, client)
    }
  }
}
