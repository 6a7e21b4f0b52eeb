import ArgumentParser
import SnapshotJSON

struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON for programs, a line for each result; errors too.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Colors: auto, on a terminal if NO_COLOR is not set; always; never.",
      valueName: "when"))
  var color = ColorChoice.auto

  /// Prints a result: a line for people, or an object with these members for programs.
  func show(_ line: @autoclosure () -> String, _ members: (inout JSONWriter) -> Void) {
    if json { printer.json(JSONWriter.object(members)) } else { printer.line(line()) }
  }

  var printer: Printer {
    Printer(isJSON: json, hasColor: !json && color.isOn)
  }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  fileprivate var isOn: Bool {
    switch self {
    case .always: true
    case .never: false
    // https://no-color.org: any nonempty value disables colors.
    case .auto: Terminal.isOutput && (Surroundings.current.environment["NO_COLOR"] ?? "").isEmpty
    }
  }
}
