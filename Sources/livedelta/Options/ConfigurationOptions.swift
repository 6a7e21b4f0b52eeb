import ArgumentParser

/// The file with settings that are given neither as flags nor in the environment.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JSON file with settings; config/livedelta.json shows all. (environment: LIVEDELTA_CONFIG)",
      valueName: "file"), completion: .file())
  var config: String?

  /// The settings of all four sources.
  func settings(_ flags: Flags = Flags()) throws -> Settings {
    try Settings(flags: flags, file: config)
  }
}
