import ArgumentParser
import LiveDeltaClient
import LiveDeltaCurl

/// The heading of options that most commands have; `livedelta help options` shows them.
let commonOptions = "Common options"

/// The options for connecting to the service.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The service: HOST:PORT, a URL or unix:PATH. (default: 127.0.0.1:8080)",
      valueName: "address"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait for an answer, besides --wait.",
      valueName: "seconds"))
  var timeout = 30

  @OptionGroup var credential: CredentialOptions
  @OptionGroup var file: ConfigurationOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout must be from 1 to 86400 seconds.")
    }
  }

  /// Creates a client of the service.
  func client() throws -> DeltaClient {
    let settings = try file.settings()
    var limits = DeltaClient.Limits()
    limits.answerMilliseconds = timeout * 1000
    limits.connectMilliseconds = min(limits.connectMilliseconds, limits.answerMilliseconds)
    let token = try credential.token()
    return try Failure.configuring {
      DeltaClient(try ServerAddress(server ?? settings.server), limits: limits, token: token)
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
