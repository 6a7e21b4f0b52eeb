import ArgumentParser
import LiveDeltaClient

struct Put: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stores a list as its newest version.",
    discussion: """
      The file is JSON: {"items":[…]}, {"sections":[{"id":"a","items":[…]}]}, or an array of items. An \
      item is an object with an id; everything else in it is up to you. The same content again makes \
      no new version.

        livedelta put inbox.json u42/inbox
        my-backend --export | livedelta put - public/news
        livedelta put cart.json u42/cart --if-version "$VERSION"
      """)

  @Argument(help: "The list; - for standard input. May be gzipped.", completion: .file())
  var file: String

  @OptionGroup var precondition: PreconditionOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let address = try collection.address()
    let source = try SourceFile.json(file).file
    try await collection.connection.run(address, sending: source) { client, collection in
      let reply = try await client.put(
        source.bytes, to: collection, fields: precondition.fields)
      output.printer.show(reply, of: collection)
    }
  }
}
