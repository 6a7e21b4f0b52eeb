import ArgumentParser
import LiveDeltaClient
import LiveDeltaCurl

/// `livedelta admin`.
struct Admin: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks after the clients of a service and its store.",
    discussion: """
      These commands use the operations listener, with a key that has admin; export, import and rm need \
      scopes for the collections of the client, too.

        livedelta admin ls --sort bytes
        livedelta admin export u42 > u42.ndjson
        livedelta admin import u42 u42.ndjson --ops 10.0.0.7:8081
        livedelta admin compact
      """,
    subcommands: [
      AdminList.self, AdminRemove.self, AdminExport.self, AdminImport.self, AdminCompact.self,
    ])
}

/// The options for connecting to the operations listener.
struct OperationsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the operations listener is. (default: 127.0.0.1:8081)", valueName: "address"))
  var ops: String?

  @Option(
    help: ArgumentHelp("Within how many seconds the service must answer.", valueName: "seconds"))
  var timeout = 600

  @OptionGroup var credential: CredentialOptions
  @OptionGroup var file: ConfigurationOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout must be from 1 to 86400 seconds.")
    }
  }

  /// Runs a closure with a client, converting client errors to failures.
  func run(about subject: String? = nil, _ work: (DeltaClient) async throws -> Void) async throws {
    var flags = Flags()
    flags.set(.ops, ops)
    let address = try file.settings(flags).string(.ops)
    var limits = DeltaClient.Limits()
    limits.answerMilliseconds = timeout * 1000
    let token = try credential.token()
    let client = try Failure.configuring {
      DeltaClient(try ServerAddress(address), limits: limits, token: token)
    }
    do {
      try await work(client)
    } catch let error as ClientError {
      throw Failure(error, client.address, sent: nil, about: subject)
    }
  }
}

extension DeltaClient {
  /// Sends a request and returns the response.
  ///
  /// - Throws: `ClientError`, also for a response with a problem.
  func administer(
    _ method: String, _ path: String, body: [UInt8]? = nil
  ) async throws(ClientError) -> ClientResponse {
    let type = body.map { _ in [HTTPField("Content-Type", "application/x-ndjson")] } ?? []
    let answer = try await request(method, path, fields: type, body: body)
    try check(answer)
    return answer
  }
}
