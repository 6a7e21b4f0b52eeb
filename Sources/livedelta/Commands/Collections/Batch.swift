import ArgumentParser
import LiveDeltaClient

/// `livedelta batch CLIENT FILE`.
struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Writes several collections of a client together.",
    discussion: """
      The file is {"atomic":true,"writes":[{"collection":"inbox","put":{…},"ifVersion":VERSION}, \
      {"collection":"cart","edits":[…]},{"collection":"old","delete":true}]}. Atomic: all or none, \
      and no reader sees half of it. Otherwise each write stands for itself.

        livedelta batch u42 writes.json
        my-backend --export | livedelta batch u42 - --json
      """)

  @Argument(help: "Whose collections.", completion: .clients)
  var client: String

  @Argument(help: "The writes; - for standard input. May be gzipped.", completion: .file())
  var file: String

  @OptionGroup var idempotency: IdempotencyOptions
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let source = try SourceFile.json(file).file
    try await connection.run(sending: source) { service in
      let reply = try await service.batch(
        of: client, source.bytes, fields: idempotency.fields)
      if output.json {
        output.printer.json(reply.answer.body)
      } else {
        for result in reply.value { output.printer.line("\(client)/\(Self.line(result))") }
      }
      if let problem = reply.value.lazy.compactMap(\.problem).first {
        throw ClientError.problem(problem)
      }
    }
  }

  private static func line(_ result: BatchResult) -> String {
    if let problem = result.problem {
      return "\(result.collection) refused: \(problem.status) \(problem.code)"
    }
    guard let version = result.version, result.status != 204 else {
      return "\(result.collection) deleted"
    }
    return "\(result.collection) \(result.status == 201 ? "created" : "stored"): version \(version)"
  }
}
