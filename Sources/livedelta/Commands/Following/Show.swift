import ArgumentParser
import LiveDeltaClient

/// `livedelta show VERSION`.
struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows an older version of a collection.",
    discussion: """
        livedelta show k3f9m2qx.41.smi5BHIsjcU2NK83 --collection u42/inbox
        livedelta show "$VERSION" -c u42/inbox --json > before.json
      """)

  @Argument(help: "Which one; `livedelta versions` lists those that are kept.")
  var version: String

  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      try await output.printer.show(version, of: collection, client)
    }
  }
}
