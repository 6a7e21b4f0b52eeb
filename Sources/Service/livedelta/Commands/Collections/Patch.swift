import ArgumentParser
import LiveDeltaClient
import SnapshotJSON

struct Patch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes parts of a list.",
    discussion: """
      The file is an object with `edits`, which change items by their ids, or any other object, which \
      is a merge patch (RFC 7396) of the list as `get --json` shows it or, with --item, of an item.

        livedelta patch edits.json u42/inbox
        echo '{"edits":[{"op":"delete","ids":["m5"]}]}' | livedelta patch - u42/inbox
        echo '{"unread":false}' | livedelta patch - u42/inbox --item m1
      """)

  @Argument(help: "The patch; - for standard input. May be gzipped.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("Merge the patch into the item with this id.", valueName: "id"))
  var item: String?

  @OptionGroup var precondition: PreconditionOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let address = try collection.address()
    let (source, patch) = try SourceFile.json(file)
    guard patch.kind == .object else {
      throw Failure.data("a patch is an object", at: source.place(at: patch.range.lowerBound))
    }
    try await collection.connection.run(address, sending: source) { client, collection in
      output.printer.show(
        try await send(patch, source.bytes, client, collection), of: collection)
    }
  }

  private func send(
    _ patch: JSONValue, _ bytes: [UInt8], _ client: DeltaClient, _ collection: CollectionAddress
  ) async throws(ClientError) -> ClientReply<WriteAnswer> {
    if let item {
      return try await client.patch(
        collection, Self.merge(patch, into: item), fields: precondition.fields)
    }
    if patch["edits"] == nil {
      return try await merge(patch, client, collection)
    }
    return try await client.patch(collection, bytes, fields: precondition.fields)
  }

  private static func merge(_ patch: JSONValue, into item: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.array("edits", [patch]) { writer, patch in
        writer.object { writer in
          writer.member("op", "merge")
          writer.member("id", item)
          writer.member("value", raw: patch.rawBytes)
        }
      }
    }
  }

  /// Merges a patch into the newest version, and stores the result unless a newer one exists by
  /// then.
  private func merge(
    _ patch: JSONValue, _ client: DeltaClient, _ collection: CollectionAddress
  ) async throws(ClientError) -> ClientReply<WriteAnswer> {
    let reply = try await client.snapshot(of: collection)
    guard let held = JSONReader(depthMax: JSONReader.depthMaxMax).root(of: reply.answer.body)
    else { throw .malformed("the answer is not JSON") }
    let version = precondition.ifVersion ?? reply.value.version
    return try await client.put(
      JSONMergePatch.apply(patch, to: held), to: collection,
      fields: [HeaderField("Collection-If-Version", version)] + precondition.idempotency.fields)
  }
}
