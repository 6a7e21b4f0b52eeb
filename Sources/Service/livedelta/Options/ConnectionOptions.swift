import ArgumentParser
import LiveDeltaClient

/// The heading of options that most commands have.
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

  @OptionGroup var trust: TrustOptions
  @OptionGroup var credential: CredentialOptions
  @OptionGroup var file: ConfigurationOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout must be from 1 to 86400 seconds.")
    }
  }

  func client() throws -> DeltaClient {
    let settings = try file.settings()
    return try .to(
      server ?? settings.server, trusting: try trust.file(settings), answerSeconds: timeout,
      token: try credential.token())
  }

  /// Runs a closure with a client, as `DeltaClient.run` does.
  func run(
    sending source: SourceFile? = nil, about subject: String? = nil,
    _ work: (DeltaClient) async throws -> Void
  ) async throws {
    try await client().run(sending: source, about: subject, work)
  }
}

/// The option that names the certificates to trust.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The certificates of the authorities to trust, in PEM format, in place of the system's. \
      (environment: LIVEDELTA_CA_FILE, SSL_CERT_FILE)
      """, valueName: "file"), completion: .file())
  var cacert: String?

  /// Returns the file that the option, the settings or the environment names; nil for the system's certificates.
  func file(_ settings: Settings) throws -> String? {
    var settings = settings
    settings.caFile = cacert ?? settings.caFile
    return try settings.trustedFile()
  }
}
