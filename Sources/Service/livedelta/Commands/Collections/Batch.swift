import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient

struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Writes several collections together.",
    discussion: """
      The file is an object:

        {"atomic":true,"writes":[
          {"collection":"inbox","put":{"items":[]},"ifVersion":"VERSION"},
          {"collection":"cart","edits":[{"op":"delete","ids":["1"]}]},
          {"collection":"old","delete":true}]}

      If it is atomic, all writes are carried out or none, and no reader sees half of them.

        livedelta batch u42 writes.json
        my-backend --export | livedelta batch u42 - --json
      """)

  @Argument(help: "The client whose collections they are.")
  var client: String

  @Argument(help: "The writes; - for standard input. May be gzipped.", completion: .file())
  var file: String

  @OptionGroup var idempotency: IdempotencyOptions
  @OptionGroup(title: commonOptions) var connection: ConnectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

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
