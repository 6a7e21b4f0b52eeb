import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient

struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "Lists clients, or a client's collections.",
    discussion: """
      It shows the name, the number of items and the newest version of each collection, or the name \
      and the number of collections of each client.

        livedelta ls
        livedelta ls u42
        livedelta ls u42 --json | jq -r '.collections[].name'
      """)

  @Argument(help: "The client; without it, the clients are listed.")
  var client: String?

  @OptionGroup(title: commonOptions) var connection: ConnectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await connection.run(about: client) { service in
      guard let client else {
        return try await pages({ try await service.clients(after: $0) }) { table, entry in
          table.add(entry.name, counted(entry.collectionCount, "collection"))
        }
      }
      try await pages({ try await service.collections(of: client, after: $0) }) { table, entry in
        table.add(entry.name, counted(entry.itemCount, "item"), entry.version)
      }
    }
  }

  /// Writes all pages, as JSON or as tables.
  private func pages<Element: Hashable & Sendable>(
    _ page: (String?) async throws -> ClientReply<ListPage<Element>>,
    _ show: (inout TextTable, Element) -> Void
  ) async throws {
    var cursor: String?
    var isEmpty = true
    repeat {
      let reply = try await page(cursor)
      if output.json {
        output.printer.json(reply.answer.body)
      } else {
        var table = TextTable()
        for entry in reply.value.elements { show(&table, entry) }
        isEmpty = isEmpty && reply.value.elements.isEmpty
        output.printer.lines(table.lines)
      }
      cursor = reply.value.next
    } while cursor != nil
    if isEmpty, !output.json {
      Terminal.note(
        "livedelta: \(client.map { "\($0) has no collections" } ?? "there are no collections")")
    }
  }
}
