import ArgumentParser
import Glibc

/// Whether people or programs read the output, and in which colours.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, one line a result, for programs; errors too.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Colours: auto, where there is a terminal and NO_COLOR is not set; always; never.",
      valueName: "when"))
  var color = ColorChoice.auto

  /// What the command writes its results with.
  var printer: Printer {
    Printer(isJSON: json, hasColor: !json && color.isOn, width: Terminal.width)
  }
}

/// When operations have colours.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  fileprivate var isOn: Bool {
    switch self {
    case .always: true
    case .never: false
    // https://no-color.org: whatever it is set to, unless that is nothing.
    case .auto: Terminal.isOutput && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    }
  }
}
