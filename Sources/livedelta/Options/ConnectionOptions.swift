import ArgumentParser
import LiveCollectionsClient

/// Where the service is, and how long to wait for it.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the service listens: HOST:PORT, a URL, or unix:PATH. (default: 127.0.0.1:8080)",
      valueName: "address"))
  var server: String?

  @OptionGroup var file: ConfigurationOptions

  /// The settings, with the flags of this group on top.
  func settings() throws -> Settings {
    var flags = Flags()
    flags.set(.server, server)
    return try file.settings(flags)
  }

  /// A client of the service.
  func client() throws -> DeltaClient {
    let text = try settings().string(.server)
    return try Failure.configuring { DeltaClient(try ServerAddress(text)) }
  }
}

/// Which collection of which service.
struct CollectionOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Which collection, as CLIENT/NAME. (default: public/main)", valueName: "collection"))
  var collection: String?

  @OptionGroup var connection: ConnectionOptions

  /// The collection's address.
  func address() throws -> CollectionAddress {
    var flags = Flags()
    flags.set(.collection, collection)
    let text = try connection.file.settings(flags).string(.collection)
    return try Failure.configuring { try CollectionAddress(text) }
  }

  /// Runs work with a client and the collection; what the client throws becomes a failure.
  func run(_ work: (DeltaClient, CollectionAddress) async throws -> Void) async throws {
    let client = try connection.client()
    let collection = try address()
    do {
      try await work(client, collection)
    } catch let error as ClientError {
      throw Failure(error, client.address)
    }
  }
}

/// Whether people or programs read the output.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, one line a result, for programs.")
  var json = false
}
