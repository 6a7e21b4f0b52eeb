import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Shows or changes a list's settings.",
    discussion: """
        livedelta settings get u42/inbox
        livedelta settings set u42/inbox retention.versions=10
        livedelta settings get u42/inbox --json | livedelta settings set u42/cart --file -
      """,
    subcommands: [GetSettings.self, SetSettings.self])
}

struct GetSettings: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Shows the settings of a collection.",
    discussion: """
        livedelta settings get u42/inbox
      """)

  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    try await collection.run { client, collection in
      output.printer.settings(try await client.settings(of: collection))
    }
  }
}

struct SetSettings: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Changes the settings of a collection.",
    discussion: """
      A value is JSON or a text. Without a value, the setting gets its default again. Settings that are \
      not named stay as they are; with --file they get their defaults.

        livedelta settings set u42/inbox emptySections=drop retention.versions=10
        livedelta settings set u42/inbox 'sortBy=[{"path":"/title"}]'
        livedelta settings set u42/inbox sortBy=
        livedelta settings set u42/inbox --file settings.json
      """)

  @Argument(
    help: ArgumentHelp(
      "Which collection, as CLIENT/NAME, and the settings to change, as NAME=VALUE.",
      valueName: "name"))
  var names: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Which collection, as an option.", valueName: "client/name"))
  var collection: String?

  @Option(help: "All settings as a JSON object; - for standard input.", completion: .file())
  var file: String?

  @OptionGroup var idempotency: IdempotencyOptions
  @OptionGroup(title: commonOptions) var connection: ConnectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  /// The collection, which is the first argument if that is no setting.
  private var address: String? {
    collection ?? names.first.flatMap { $0.contains("=") ? nil : $0 }
  }

  private var pairs: ArraySlice<String> {
    names.dropFirst(collection == nil && address != nil ? 1 : 0)
  }

  func validate() throws {
    guard pairs.isEmpty != (file == nil) else {
      throw ValidationError("Either NAME=VALUE pairs or --file must be given.")
    }
    for pair in pairs where !pair.dropFirst().contains("=") {
      throw ValidationError("\"\(pair)\" is not NAME=VALUE.")
    }
  }

  func run() async throws {
    let address = try CollectionAddress(argument: address)
    let source = try file.map { try SourceFile.json($0).file }
    try await connection.run(address, sending: source) { client, collection in
      output.printer.settings(
        try await client.set(
          collection, settings: source?.bytes ?? Self.patch(pairs), isWhole: source != nil,
          fields: idempotency.fields))
    }
  }

  private static func patch(_ pairs: ArraySlice<String>) -> [UInt8] {
    var tree = SettingTree()
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      tree.set(parts[0], json(String(parts[1])))
    }
    return Array(tree.text(indent: "").utf8)
  }

  private static func json(_ text: String) -> String {
    if text.isEmpty { return "null" }
    if JSONReader().root(of: Array(text.utf8)) != nil { return text }
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Printer {
  /// Writes settings one per line, in the form that `settings set` accepts.
  fileprivate func settings(_ answer: ClientResponse) {
    guard !isJSON, let value = JSONReader().root(of: answer.body) else {
      return json(answer.body)
    }
    for (name, setting) in value.members {
      if ["equality", "retention"].contains(name) {
        for (part, inner) in setting.members { pair("\(name).\(part)", inner) }
      } else {
        pair(name, setting)
      }
    }
  }

  private func pair(_ name: String, _ value: JSONValue) {
    line("\(name)=\(value.string ?? value.rawText)")
  }
}
