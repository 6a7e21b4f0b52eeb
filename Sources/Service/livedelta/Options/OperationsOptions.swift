import ArgumentParser
import LiveDeltaClient

struct OperationsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The operations listener. (default: 127.0.0.1:8081)", valueName: "address"))
  var ops: String?

  @Option(
    help: ArgumentHelp("How long to wait for an answer.", valueName: "seconds"))
  var timeout = 600

  @OptionGroup(title: commonOptions) var trust: TrustOptions
  @OptionGroup(title: commonOptions) var credential: CredentialOptions
  @OptionGroup(title: commonOptions) var file: ConfigurationOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout must be from 1 to 86400 seconds.")
    }
  }

  /// Runs a closure with a client, converting client errors to failures.
  func run(about subject: String? = nil, _ work: (DeltaClient) async throws -> Void) async throws {
    let settings = try file.settings()
    let client = try DeltaClient.to(
      ops ?? settings.ops, trusting: try trust.file(settings), answerSeconds: timeout,
      token: try credential.token())
    try await client.run(about: subject, work)
  }
}

extension DeltaClient {
  func administer(
    _ method: String, _ path: String
  ) async throws(ClientError) -> ClientResponse {
    let answer = try await request(method, path, fields: [], body: nil)
    try check(answer)
    return answer
  }
}
