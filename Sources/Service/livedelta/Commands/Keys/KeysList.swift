import ArgumentParser
import Authentication
import SnapshotJSON

struct KeysList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the keys of a file, and checks it.",
    discussion: """
        livedelta keys list keys
        livedelta keys list keys --json
      """)

  @Argument(help: "The keys file.")
  var file: String

  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    do {
      for key in try KeyList(file: file).keys { show(key) }
    } catch {
      throw Failure(error, in: file)
    }
  }

  private func show(_ key: AccessKey) {
    let expires = key.expires.map { ExpiryDate.text($0) }
    let scopes = key.scopes.map(\.description)
    let end = expires.map { "  expires \($0)" } ?? ""
    output.show("\(key.name)  \(scopes.joined(separator: " "))\(end)") {
      $0.member("name", key.name)
      if case .user(let user) = key.credential { $0.member("uid", Int(user)) }
      $0.array("scopes", scopes) { $0.string($1) }
      $0.member("expires", orNull: expires)
    }
  }
}

extension Failure {
  init(_ error: KeysError, in file: String) {
    if case .unreadable = error.reason {
      self.init(.missing, "\(file): \(error)")
    } else {
      self.init(.data, "\(file): \(error)")
    }
  }
}
