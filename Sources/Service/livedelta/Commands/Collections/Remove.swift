import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

struct Remove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Deletes collections with their history.",
    discussion: """
      With --all the names are clients, and all their collections are deleted.

        livedelta rm u42/inbox u42/cart
        livedelta rm --all u42
      """)

  @Argument(
    help: ArgumentHelp("Which collections.", valueName: "client/name"))
  var names: [String]

  @Flag(help: "The names are clients: delete all their collections.")
  var all = false

  @OptionGroup var idempotency: IdempotencyOptions
  @OptionGroup(title: commonOptions) var connection: ConnectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let collections = all ? [] : try names.map { name in try Self.address(name) }
    for collection in collections {
      try await connection.run(about: "\(collection)") {
        try await $0.delete(collection, fields: idempotency.fields)
      }
      output.show("\(collection) deleted") { $0.member("deleted", "\(collection)") }
    }
    for name in all ? names : [] {
      try await connection.run(about: name) {
        try await $0.delete(client: name)
      }
      output.show("\(name) deleted") { $0.member("deleted", name) }
    }
  }

  func validate() throws {
    guard all, idempotency.idempotencyKey != nil else { return }
    throw ValidationError("--all takes no --idempotency-key: the deletion of a client has none")
  }

  private static func address(_ name: String) throws -> CollectionAddress {
    do {
      return try CollectionAddress(name)
    } catch {
      throw Failure(.usage, "\(error)", advice: "all that a client has: livedelta rm --all CLIENT")
    }
  }
}
