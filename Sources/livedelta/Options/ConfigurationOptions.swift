import ArgumentParser

/// The option that names the configuration file.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JSON file with settings; config/livedelta.json shows all. (environment: LIVEDELTA_CONFIG)",
      valueName: "file"), completion: .file())
  var config: String?

  /// Returns the settings from all four sources.
  func settings(_ flags: Flags = Flags()) throws -> Settings {
    try Settings(flags: flags, file: config)
  }
}
