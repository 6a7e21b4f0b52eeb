import ArgumentParser
import LiveDeltaClient
import SnapshotJSON

/// `livedelta patch FILE`.
struct Patch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes a collection: edits, a JSON Patch, or a merge patch.",
    discussion: """
      The file says which it is: {"edits":[…]} are edits by id; an array is a JSON Patch (RFC 6902), \
      which needs --if-version; any other object is a merge patch (RFC 7396) of the collection as \
      `get --json` shows it, or with --item of that item.

        echo '{"edits":[{"op":"delete","ids":["m5"]}]}' | livedelta patch - -c u42/inbox
        echo '{"unread":false}' | livedelta patch - -c u42/inbox --item m1
        livedelta patch patch.json -c u42/inbox --if-version k3f9m2qx.41.smi5BHIsjcU2NK83
      """)

  @Argument(help: "The patch; - for standard input. May be gzipped.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("Merge the patch into the item with this id.", valueName: "id"))
  var item: String?

  @OptionGroup var precondition: PreconditionOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let (source, patch) = try SourceFile.json(file)
    guard patch.kind == .object || patch.kind == .array, patch.kind == .object || item == nil else {
      throw Failure.data(
        item == nil
          ? "a patch is an object or an array" : "the merge patch of an item is an object",
        at: source.place(at: patch.range.lowerBound))
    }
    try await collection.run(sending: source) { client, collection in
      output.printer.show(
        try await send(patch, source.bytes, client, collection), of: collection)
    }
  }

  private func send(
    _ patch: JSONValue, _ bytes: [UInt8], _ client: DeltaClient, _ collection: CollectionAddress
  ) async throws(ClientError) -> Reply<WriteAnswer> {
    if let item {
      return try await client.patch(
        collection, .edits, Self.merge(patch, into: item), fields: precondition.fields)
    }
    if patch.kind == .object && patch["edits"] == nil {
      return try await merge(patch, client, collection)
    }
    return try await client.patch(
      collection, patch.kind == .array ? .jsonPatch : .edits, bytes, fields: precondition.fields)
  }

  /// Returns the edit that merges a patch into an item.
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
  ) async throws(ClientError) -> Reply<WriteAnswer> {
    let reply = try await client.snapshot(of: client.withIDPath(collection))
    guard let held = JSONReader(depthMax: JSONReader.depthMaxMax).root(of: reply.answer.body)
    else { throw .malformed("the collection is no JSON") }
    let version = precondition.ifVersion ?? reply.value.version
    return try await client.put(
      JSONMergePatch.apply(patch, to: held), to: collection,
      fields: [HTTPField("Collection-If-Version", version)] + precondition.idempotency.fields)
  }
}
