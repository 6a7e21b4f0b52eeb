import ArgumentParser
import LiveDeltaClient

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

  @Argument(help: "The snapshot; - for standard input. May be gzipped.", completion: .file())
  var file: String

  @OptionGroup var precondition: PreconditionOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let source = try SourceFile.json(file).file
    let bar = ProgressBar("put \(source.name)")
    defer { bar.finish() }
    try await collection.run(sending: source) { client, collection in
      let reply = try await client.put(
        source.bytes, to: collection, fields: precondition.fields,
        onSent: { bar.update($0, of: source.bytes.count, Figure.bytes) })
      bar.finish()
      output.printer.show(reply, of: collection)
    }
  }
}
