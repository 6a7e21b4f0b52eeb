import ArgumentParser
import LiveDeltaClient

/// `livedelta revert VERSION`.
struct Revert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes the content of an older version the newest.",
    discussion: """
      That is a version of its own, and readers get one delta.

        livedelta revert k3f9m2qx.41.smi5BHIsjcU2NK83 --collection u42/inbox
        livedelta revert "$GOOD" -c u42/inbox --if-version "$BAD"
      """)

  @Argument(help: "Which one; `livedelta versions` lists those that are kept.")
  var version: String

  @OptionGroup var precondition: PreconditionOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      output.printer.show(
        try await client.revert(collection, to: version, fields: precondition.fields),
        of: collection)
    }
  }
}
