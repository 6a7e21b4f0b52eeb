import ArgumentParser
import LiveDeltaClient
import SnapshotJSON

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells whether a service is ready.",
    discussion: """
      The exit code is 0 if the service is ready, 1 if it is not, 69 if it cannot be reached, 75 if it \
      does not answer in time. It asks the operations listener for /readyz, which is about readers; \
      with --writes for /readyz/writes.

        livedelta check
        livedelta check --writes
        livedelta check --ops 127.0.0.1:9081
      """)

  @Option(
    help: ArgumentHelp(
      "The operations listener. (default: 127.0.0.1:8081)", valueName: "address"))
  var ops: String?

  @Flag(help: "Whether writes can be committed, too.")
  var writes = false

  @OptionGroup(title: commonOptions) var trust: TrustOptions
  @OptionGroup(title: commonOptions) var file: ConfigurationOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let settings = try file.settings()
    let client = try DeltaClient.to(
      ops ?? settings.ops, trusting: try trust.file(settings), connectSeconds: 2, answerSeconds: 3)
    try await client.run { client in
      let answer = try await client.request("GET", writes ? "/readyz/writes" : "/readyz")
      let isReady = answer.status == 200
      let reason = JSONReader().root(of: answer.body)?["reason"]?.string
      output.show(
        (isReady ? "ready" : "not ready: \(answer.status)")
          + (reason.map { "; writes are unavailable: \($0)" } ?? "")
      ) {
        $0.member("ready", isReady)
        $0.member("status", answer.status)
        if let reason { $0.member("reason", reason) }
      }
      if !isReady { throw ExitStatus.notAsItShouldBe.code }
    }
  }
}
