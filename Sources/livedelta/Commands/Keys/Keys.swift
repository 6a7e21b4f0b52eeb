import ArgumentParser

/// `livedelta keys`.
struct Keys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes the keys that writers and readers of a service have.",
    discussion: """
      A service keeps no secret, only its SHA-256, in a file with a line for each key:

        NAME sha256:DIGITS SCOPE… [expires=DATE]

      Scopes: read:CLIENT[/COLLECTION], write:CLIENT[/COLLECTION], which includes reading, changes, \
      admin. In CLIENT and COLLECTION * stands for any part of the name, and ** for all. The service \
      reads the file again when it changes. To change a secret, add a key, let its user change over, \
      and take the old line out.
      """,
    subcommands: [KeysNew.self, KeysHash.self, KeysList.self])
}
