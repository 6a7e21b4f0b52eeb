import ArgumentParser
import Glibc

/// The options for output format and colors.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, one line a result, for programs; errors too.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Colours: auto, where there is a terminal and NO_COLOR is not set; always; never.",
      valueName: "when"))
  var color = ColorChoice.auto

  /// The printer for the command's results.
  var printer: Printer {
    Printer(isJSON: json, hasColor: !json && color.isOn, width: Terminal.width)
  }
}

/// When to use colors.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  fileprivate var isOn: Bool {
    switch self {
    case .always: true
    case .never: false
    // https://no-color.org: any nonempty value disables colors.
    case .auto: Terminal.isOutput && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    }
  }
}
