import ArgumentParser

/// The options that locate the data directory.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory that `livedelta serve` keeps its versions in. (default: livedelta-data)",
      valueName: "directory"))
  var data: String?

  @OptionGroup var file: ConfigurationOptions

  /// Returns the path of the data directory.
  func directory() throws -> String {
    var flags = Flags()
    flags.set(.data, data)
    let path = try file.settings(flags).string(.data)
    guard path != ":memory:" else {
      throw Failure.configuration("data is :memory:, where nothing is kept: name a directory")
    }
    return path
  }
}
