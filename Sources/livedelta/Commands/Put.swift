import ArgumentParser
import LiveCollectionsClient

/// `livedelta put FILE`.
struct Put: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stores a snapshot as the newest version of a collection.",
    discussion: """
      The snapshot is JSON: {"sections":[{"id":…,"items":[{"id":…},…]},…]}, {"items":[…]}, or a \
      bare array of items. Only ids are required; everything else is yours. Equal content makes \
      no new version.

        livedelta put examples/inbox-1.json --collection u42/inbox
        my-backend --export | livedelta put - --collection public/news
        livedelta put cart.json -c u42/cart --if-version k3f9m2qx.41.smi5BHIsjcU2NK83
      """)

  @Argument(help: "The snapshot; - for standard input. May be gzipped.")
  var file: String

  @Option(help: "Store only if this is still the newest version.")
  var ifVersion: String?

  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reporting {
      let snapshot = try InputFile.read(file)
      try await collection.run { client, collection in
        let fields = ifVersion.map { [HTTPField("Collection-If-Version", $0)] } ?? []
        let reply = try await client.put(snapshot, to: collection, fields: fields)
        if output.json { return Terminal.body(reply.answer.body) }
        let write = reply.value
        let what = write.created ? "created" : write.changed ? "changed" : "unchanged"
        Terminal.line("\(collection) \(what): version \(write.version)")
      }
    }
  }
}
