import ArgumentParser
import LiveDeltaClient
import LiveDeltaCurl

/// The options for connecting to the service.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the service listens: HOST:PORT, a URL, or unix:PATH. (default: 127.0.0.1:8080)",
      valueName: "address"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "Within how many seconds the service must answer, beside what it is asked to wait.",
      valueName: "seconds"))
  var timeout = 30

  @OptionGroup var credential: CredentialOptions
  @OptionGroup var file: ConfigurationOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout must be from 1 to 86400 seconds.")
    }
  }

  /// Returns the settings, including the flags of this group.
  func settings() throws -> Settings {
    var flags = Flags()
    flags.set(.server, server)
    return try file.settings(flags)
  }

  /// Creates a client of the service.
  func client() throws -> DeltaClient {
    try client(at: settings().string(.server), token: credential.token())
  }

  /// Creates a client of the service at an address, with a token if there is one.
  func client(at address: String, token: String?) throws -> DeltaClient {
    var limits = DeltaClient.Limits()
    limits.answerMilliseconds = timeout * 1000
    limits.connectMilliseconds = min(limits.connectMilliseconds, limits.answerMilliseconds)
    return try Failure.configuring {
      DeltaClient(try ServerAddress(address), limits: limits, token: token)
    }
  }

  /// Runs a closure with a client, converting client errors to failures.
  ///
  /// - Parameters:
  ///   - source: The file that is sent, to report positions in it.
  ///   - subject: What the request is about if no file is sent; `nil` for the service.
  ///   - work: The closure.
  /// - Throws: Any error that `work` throws; client errors as a `Failure`.
  func run(
    sending source: SourceFile? = nil, about subject: String? = nil,
    _ work: (DeltaClient) async throws -> Void
  ) async throws {
    let client = try client()
    do {
      try await work(client)
    } catch let error as ClientError {
      throw Failure(error, client.address, sent: source, about: subject)
    }
  }
}

/// The options that identify a collection.
struct CollectionOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Which collection, as CLIENT/NAME. (default: public/main)", valueName: "collection"),
    completion: .collections)
  var collection: String?

  @OptionGroup var connection: ConnectionOptions

  /// Returns the collection's address.
  func address() throws -> CollectionAddress {
    var flags = Flags()
    flags.set(.collection, collection)
    let text = try connection.file.settings(flags).string(.collection)
    return try Failure.configuring { try CollectionAddress(text) }
  }

  /// Runs a closure with a client and the collection, converting client errors to failures.
  func run(
    sending source: SourceFile? = nil,
    _ work: (DeltaClient, CollectionAddress) async throws -> Void
  ) async throws {
    let collection = try address()
    try await connection.run(sending: source, about: "\(collection)") {
      try await work($0, collection)
    }
  }
}

/// The option that makes a write conditional.
struct PreconditionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write only if this is still the newest version.", valueName: "version"))
  var ifVersion: String?

  @OptionGroup var idempotency: IdempotencyOptions

  /// The corresponding request fields.
  var fields: [HTTPField] {
    (ifVersion.map { [HTTPField("Collection-If-Version", $0)] } ?? []) + idempotency.fields
  }
}

/// The option that identifies a write.
struct IdempotencyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write only if nothing was written with this key; without it, a random one is used.",
      valueName: "key"))
  var idempotencyKey: String?

  /// The corresponding request field.
  var fields: [HTTPField] {
    idempotencyKey.map { [HTTPField("Idempotency-Key", $0)] } ?? []
  }
}
