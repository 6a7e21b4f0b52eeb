import ArgumentParser

struct Admin: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures, exports and imports clients.",
    discussion: """
      These commands use the operations listener, and need a key with the scope admin; export, import \
      and rm also need scopes for the client's collections.

        livedelta admin ls --sort bytes
        livedelta admin export u42 > u42.ndjson
        livedelta admin import u42 u42.ndjson --ops 10.0.0.7:8081
        livedelta admin compact
      """,
    subcommands: [
      AdminList.self, AdminRemove.self, AdminExport.self, AdminImport.self, AdminCompact.self,
    ])
}
