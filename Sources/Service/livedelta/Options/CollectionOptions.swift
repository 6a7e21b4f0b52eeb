import ArgumentParser
import LiveDeltaClient

/// The argument that names a collection, and the options for connecting.
struct CollectionOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Which collection.", valueName: "client/name"))
  var name: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The same, as an option.", valueName: "client/name"))
  var collection: String?

  @OptionGroup(title: commonOptions) var connection: ConnectionOptions

  /// Returns the collection's address.
  func address() throws -> CollectionAddress {
    guard name == nil || collection == nil else {
      throw Failure(.usage, "the collection is named twice, as an argument and with --collection")
    }
    return try CollectionAddress(argument: name ?? collection)
  }

  /// Runs a closure with a client and the collection, or a view of it, converting client errors to failures.
  func run(
    _ options: ViewOptions? = nil,
    _ work: (DeltaClient, CollectionAddress) async throws -> Void
  ) async throws {
    var address = try address()
    address.view = options?.view
    try await connection.run(address, work)
  }
}

extension CollectionAddress {
  /// Parses an argument of the command line.
  init(argument text: String?) throws {
    guard let text else {
      throw Failure(
        .usage, "which collection? name it as CLIENT/NAME",
        advice: "which ones there are: livedelta ls")
    }
    do {
      try self.init(text)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }
}

extension ConnectionOptions {
  /// Runs a closure with a client and a collection, converting client errors to failures.
  func run(
    _ collection: CollectionAddress, sending source: SourceFile? = nil,
    _ work: (DeltaClient, CollectionAddress) async throws -> Void
  ) async throws {
    try await run(sending: source, about: "\(collection)") { try await work($0, collection) }
  }
}
