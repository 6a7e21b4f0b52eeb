import ArgumentParser
import Glibc
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

/// The command line: `livedelta COMMAND …`.
@main struct LiveDeltaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "livedelta",
    abstract: "Serves lists, and tells readers what changed in them.",
    discussion: """
      A backend stores whole lists. An app that has an older version gets the inserts, deletes, moves \
      and reloads that lead to the newest one, in steps that a list view can animate.

      --server, and all that config/livedelta.json has, can also be in the environment, such as \
      LIVEDELTA_SERVER, or in the file of --config or LIVEDELTA_CONFIG. An option comes first, then the \
      environment, then the file. docs/configuration.md lists the settings.

      Exit codes:
      \(ExitStatus.table)
      """,
    version: LiveDeltaVersion.text,
    groupedSubcommands: [
      CommandGroup(
        name: "List",
        subcommands: [
          Put.self, Get.self, List.self, Patch.self, BatchCommand.self, Remove.self,
          SettingsCommand.self,
        ]),
      CommandGroup(
        name: "Change",
        subcommands: [
          Watch.self, Changes.self, DeltaCommand.self, Diff.self, Versions.self, Show.self,
          Revert.self,
        ]),
      CommandGroup(
        name: "Service",
        subcommands: [
          Demo.self, Serve.self, Check.self, Keys.self, Admin.self, Backup.self, Restore.self,
          Verify.self, Export.self, Import.self, Copy.self, Migrate.self, Replay.self,
        ]),
    ])

  static func main() async {
    Terminal.openStreams()
    do {
      Glibc.exit(await run(Array(try ProcessArguments.all().dropFirst())))
    } catch {
      Glibc.exit(report(error, isJSON: false))
    }
  }

  /// Runs a command, and reports all errors uniformly; returns the exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      try checkNames(arguments)
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return ExitStatus.done.rawValue
    } catch {
      return report(error, isJSON: arguments.prefix { $0 != "--" }.contains("--json"))
    }
  }

  /// Reports an error, or prints what is no error: help, the version, a completion script.
  private static func report(_ error: any Error, isJSON: Bool) -> Int32 {
    let report = ErrorReport(isJSON: isJSON)
    switch error {
    case let failure as Failure: return report.write(failure).rawValue
    case let error as InputError: return report.write(Failure(error.status, "\(error)")).rawValue
    case let code as ExitCode: return code.rawValue
    default: break
    }
    let code = exitCode(for: error).rawValue
    if code == 0 {
      Terminal.line(fullMessage(for: error))
    } else if isJSON {
      return report.write(Failure(.usage, message(for: error))).rawValue
    } else {
      for line in fullMessage(for: error).split(separator: "\n") { Terminal.note(String(line)) }
    }
    return code
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
