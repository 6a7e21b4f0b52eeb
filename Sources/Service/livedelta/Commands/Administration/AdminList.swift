import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

struct AdminList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "Shows how much clients or collections take.",
    discussion: """
      It shows the items, the bytes in the store and the waiting readers of each client or, if one is \
      named, of each of its collections.

        livedelta admin ls
        livedelta admin ls --sort bytes
        livedelta admin ls u42 --json
      """)

  @Argument(help: "The client; without it, the clients are listed.")
  var client: String?

  @Option(help: "Order by name or, the most first, by bytes, items or readers.")
  var sort = Order.name

  @OptionGroup var operations: OperationsOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  enum Order: String, ExpressibleByArgument, CaseIterable {
    case name, bytes, items, readers
  }

  func run() async throws {
    try await operations.run(about: client) { service in
      var entries: [JSONValue] = []
      var cursor: String?
      let path = client.map { "/clients/\($0.percentEncoded)" } ?? "/clients"
      repeat {
        let query = cursor.map { "?cursor=\($0.percentEncoded)" } ?? ""
        let answer = try await service.administer("GET", path + query)
        let page = try JSONReader().read(answer.body).root
        entries += page[client == nil ? "clients" : "collections"].map { Array($0.elements) } ?? []
        cursor = page["next"]?.string
      } while cursor != nil
      if sort != .name {
        entries.sort { ($0[sort.rawValue]?.int ?? 0) > ($1[sort.rawValue]?.int ?? 0) }
      }
      show(entries)
    }
  }

  private func show(_ entries: [JSONValue]) {
    if output.json {
      for entry in entries { output.printer.json(Array(entry.rawText.utf8)) }
      return
    }
    var table = TextTable()
    for entry in entries {
      func count(_ name: String) -> Int { entry[name]?.int ?? 0 }
      let name = entry["client"]?.string ?? entry["name"]?.string ?? ""
      table.add(
        name,
        client == nil
          ? counted(count("collections"), "collection") : entry["version"]?.string ?? "",
        counted(count("items"), "item"), counted(count("bytes"), "byte"),
        counted(count("readers"), "reader"))
    }
    output.printer.lines(table.lines)
  }
}
