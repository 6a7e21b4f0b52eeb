import ArgumentParser

struct Admin: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures and deletes clients.",
    discussion: """
      These commands use the operations listener, and need a key with the scope admin; rm also needs a \
      scope for the client's collections.

        livedelta admin ls --sort bytes
        livedelta admin compact
      """,
    subcommands: [AdminList.self, AdminRemove.self, AdminCompact.self])
}
