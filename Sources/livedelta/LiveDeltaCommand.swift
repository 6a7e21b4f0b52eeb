import ArgumentParser
import Glibc
import LiveDeltaClient
import SnapshotJSON

/// The command line: `livedelta SUBCOMMAND …`.
@main struct LiveDeltaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "livedelta",
    abstract: "Serves versioned lists as the smallest legal steps from one version to the next.",
    discussion: """
      A backend PUTs whole snapshots of a list; apps that hold an older version get the delta: \
      the inserts, deletes, moves and reloads that turn the one into the other, in batches that \
      UITableView and UICollectionView animate without a crash.

      A first look, in two terminals:
        livedelta serve
        livedelta put examples/inbox-1.json --collection u42/inbox
        livedelta watch --collection u42/inbox
        livedelta put examples/inbox-2.json --collection u42/inbox

      Settings such as --server, --collection and --listen can also stand in the environment \
      (LIVEDELTA_SERVER=…) or in a file (--config FILE, as config/livedelta.json, which shows all of \
      them); a flag wins over the environment, that over the file, that over the default.

      Exit codes:
      \(ExitStatus.table)
      """,
    version: LiveDeltaVersion.text,
    groupedSubcommands: [
      CommandGroup(
        name: "The service",
        subcommands: [
          Serve.self, Keys.self, Check.self, Backup.self, Verify.self, Migrate.self, Replay.self,
          Admin.self,
        ]),
      CommandGroup(
        name: "Collections",
        subcommands: [
          List.self, Put.self, Get.self, Patch.self, BatchCommand.self, Remove.self,
          SettingsCommand.self, Copy.self,
        ]),
      CommandGroup(
        name: "What changed",
        subcommands: [
          Watch.self, Changes.self, DeltaCommand.self, Diff.self, Versions.self, Show.self,
          Revert.self,
        ]),
    ])

  /// Runs the command, and reports all errors uniformly.
  static func main() async {
    Terminal.openStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try checkNames(arguments)
      var command = try await asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let report = ErrorReport(isJSON: arguments.prefix { $0 != "--" }.contains("--json"))
      guard let status = report.write(error) else { exit(withError: error) }
      Glibc.exit(status.rawValue)
    }
  }

  /// Refuses unknown commands, also after `help`.
  private static func checkNames(_ arguments: [String]) throws {
    let isHelp = arguments.first == "help"
    let words = arguments.dropFirst(isHelp ? 1 : 0).prefix { !$0.hasPrefix("-") }
    var command: any ParsableCommand.Type = self
    for word in words {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty else { return }
      let names = commands.map { $0._commandName } + (isHelp ? [] : ["help"])
      guard names.contains(word) else {
        throw ValidationError(
          "There is no command \"\(word.printable)\""
            + JSONValue.suggestion(for: word, among: names))
      }
      guard let next = commands.first(where: { $0._commandName == word }) else { return }
      command = next
    }
  }
}

/// The version of the program.
enum LiveDeltaVersion {
  static let text = "0.1.0"
}
