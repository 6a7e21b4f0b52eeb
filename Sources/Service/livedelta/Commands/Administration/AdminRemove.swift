import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

struct AdminRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Deletes clients with all their data.",
    discussion: """
        livedelta admin rm u42 u43
      """)

  @Argument(help: "The clients.")
  var clients: [String]

  @OptionGroup var operations: OperationsOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    for client in clients {
      try await operations.run(about: client) {
        _ = try await $0.administer("DELETE", "/clients/\(client.percentEncoded)")
      }
      output.show("\(client) deleted") { $0.member("deleted", client) }
    }
  }
}

struct AdminCompact: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Frees space in the store.",
    discussion: """
      Expired history, old requests and deleted collections are removed. The file keeps its size; later \
      writes use the free space. A copy by livedelta backup is smaller.

        livedelta admin compact
      """)

  @OptionGroup var operations: OperationsOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await operations.run {
      let answer = try await $0.administer("POST", "/compact")
      guard !output.json else { return output.printer.json(answer.body) }
      let freed = try JSONReader().read(answer.body).root["freedBytes"]?.int ?? 0
      output.printer.line("\(counted(freed, "byte")) freed")
    }
  }
}
