import ArgumentParser
import LiveDeltaClient
import LiveDeltaCurl
import SnapshotJSON

/// `livedelta check`.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells whether a service is ready; for health checks.",
    discussion: """
      Asks the operations listener for /readyz: exit code 0 when the service is ready, 1 when it \
      says that it is not, 69 when it cannot be reached, 75 when it does not answer in time.

        livedelta check
        livedelta check --ops 127.0.0.1:9081
      """)

  @Option(help: "Where the operations listener is. (default: 127.0.0.1:8081)")
  var ops: String?

  @OptionGroup var file: ConfigurationOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var flags = Flags()
    flags.set(.ops, ops)
    let client = try Self.client(file.settings(flags).string(.ops))
    do {
      let answer = try await client.request("GET", "/readyz")
      let isReady = answer.status == 200
      if output.json {
        output.printer.json(
          JSONWriter.object {
            $0.member("ready", isReady)
            $0.member("status", answer.status)
          })
      } else {
        output.printer.line(isReady ? "ready" : "not ready: \(answer.status)")
      }
      if !isReady { throw ExitStatus.notAsItShouldBe.code }
    } catch let error as ClientError {
      throw Failure(error, client.address)
    }
  }

  private static func client(_ text: String) throws -> DeltaClient {
    var limits = DeltaClient.Limits()
    limits.connectMilliseconds = 2000
    limits.answerMilliseconds = 3000
    return try Failure.configuring { DeltaClient(try ServerAddress(text), limits: limits) }
  }
}
