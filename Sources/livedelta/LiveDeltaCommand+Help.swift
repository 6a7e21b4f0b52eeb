import ArgumentParser

/// A page of help that is about no single command.
struct HelpPage {
  /// What it says.
  let text: String

  /// Returns the page that arguments ask for, if any.
  init?(_ arguments: [String]) {
    switch arguments {
    case [], ["help"], ["--help"], ["-h"]: text = Self.commands
    case ["help", "exit-codes"]: text = "Exit codes:\n\(ExitStatus.table)"
    case ["help", "options"]: text = Self.options
    default: return nil
    }
  }

  /// All commands by use, with an example of each.
  private static var commands: String {
    let configuration = LiveDeltaCommand.configuration
    var text = configuration.abstract + "\n"
    for group in configuration.groupedSubcommands {
      text += "\n\(group.name):\n"
      for command in group.subcommands { text += line(command) }
    }
    return text + """

      livedelta help COMMAND      the options and more examples of a command
      livedelta help options      options of most commands, such as --server
      livedelta help exit-codes   what the exit codes mean
      """
  }

  private static func line(_ command: any ParsableCommand.Type) -> String {
    let example =
      command.configuration.discussion.split(separator: "\n")
      .first { $0.hasPrefix("  livedelta ") } ?? "  livedelta \(command._commandName)"
    let text = example.dropFirst("  livedelta ".count)
    let space = String(repeating: " ", count: max(1, 37 - text.count))
    return "  \(text)\(space)\(command.configuration.abstract.dropLast())\n"
  }

  /// The options that most commands have, and those that are about settings.
  private static var options: String {
    """
    Options of most commands:
    \(commonOptions(of: Get.self))

    --server, and all that config/livedelta.json has, can also be in the environment, such as
    LIVEDELTA_SERVER, or in the file of --config or LIVEDELTA_CONFIG. An option comes first, then the
    environment, then the file. docs/configuration.md lists the settings.
    """
  }

  private static let heading = "\nCOMMON OPTIONS:\n"

  private static func commonOptions(of command: any ParsableCommand.Type) -> String {
    let help = LiveDeltaCommand.helpMessage(for: command)
    guard let start = help.firstRange(of: heading)?.upperBound else { return "" }
    let end = help[start...].firstRange(of: "\n\n")?.lowerBound ?? help.endIndex
    return String(help[start..<end])
  }

  /// Returns the help of a command with the common options left out.
  static func ofCommand(_ help: String) -> String {
    let help = shortUsage(help).replacing("OVERVIEW: ", with: "", maxReplacements: 1)
    guard let start = help.firstRange(of: heading),
      let end = help[start.upperBound...].firstRange(of: "\n\n")
    else { return help }
    return help[..<start.lowerBound] + help[help.index(after: end.lowerBound)...]
      + "\nlivedelta help options   shows --server, --token-file, --json and others"
  }

  /// Returns a text in which no option is shown in a usage: each has a description of its own.
  static func shortUsage(_ text: String) -> String {
    text.replacing(/\s*\[--?[a-z][^\]]*\]/, with: "")
  }
}
