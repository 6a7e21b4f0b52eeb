import ArgumentParser

struct Keys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes and lists access keys.",
    discussion: """
      A service reads its keys from a file with a line for each, which has a digest of the secret and \
      not the secret itself:

        NAME sha256:DIGITS SCOPE… [expires=DATE]

      The scopes are read:CLIENT[/COLLECTION], write:CLIENT[/COLLECTION], which includes reading, \
      changes and admin. In names, * stands for any part, and ** for everything. The service reads the \
      file again when it changes. To replace a key, add a new one, have its user change to it, and \
      remove the old line.

        livedelta keys new --scope 'write:**'
        livedelta keys new --scope read:u42 --keys keys
        livedelta keys list keys
      """,
    subcommands: [KeysNew.self, KeysHash.self, KeysList.self])
}
