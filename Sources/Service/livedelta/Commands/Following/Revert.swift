import ArgumentParser
import LiveDeltaClient

struct Revert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Brings an older version back.",
    discussion: """
      Its content becomes a new version, and readers get one delta.

        livedelta revert "$VERSION" u42/inbox
        livedelta revert "$GOOD" u42/inbox --if-version "$BAD"
      """)

  @Argument(help: "The version; `livedelta versions` lists those that are kept.")
  var version: String

  @OptionGroup var precondition: PreconditionOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      output.printer.show(
        try await client.revert(collection, to: version, fields: precondition.fields),
        of: collection)
    }
  }
}
